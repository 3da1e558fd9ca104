package dev.tidemark.standalone.issuer;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.tidemark.standalone.data.DataFolder;
import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.standalone.data.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;

/**
 * Issues the bearer tokens of an embedded installation: signs with ES256 under a key that is made
 * at the first start and stays in {@code issuer.json} (mode 600). Whoever can read that file can be
 * any tenant in any role, on this installation only.
 *
 * <p>Thread-safe and immutable.
 */
public final class LocalIssuer {

  /** The claim {@code iss}. */
  public static final String ISSUER = "urn:tidemark:local";

  /** The claim {@code aud}. */
  public static final String AUDIENCE = "tidemark";

  private final ECKey key;
  private final Clock clock;

  private LocalIssuer(ECKey key, Clock clock) {
    this.key = key;
    this.clock = clock;
  }

  /** The issuer of a data folder, made at its first start. */
  public static LocalIssuer loadOrCreate(Path dataFolder) throws IOException {
    Path file = DataFolder.issuerFile(dataFolder);
    if (!Files.exists(file)) {
      PrivateFiles.write(file, newKey().toJSONString() + "\n");
    }
    return load(dataFolder);
  }

  /**
   * The issuer of a data folder that an installation has been started on.
   *
   * @throws InstallationException when there is none, or its file is damaged
   */
  public static LocalIssuer load(Path dataFolder) throws IOException {
    Path file = DataFolder.issuerFile(dataFolder);
    try {
      return new LocalIssuer(ECKey.parse(Files.readString(file)), Clock.systemUTC());
    } catch (NoSuchFileException e) {
      throw new InstallationException(
          "no issuer in "
              + dataFolder.toAbsolutePath().normalize()
              + " (issuer.json is made at the first start): start ./tidemark up first, or name its"
              + " folder with --data",
          e);
    } catch (ParseException e) {
      throw new InstallationException(
          file
              + " is not a private EC key in JWK form: restore it, or delete it and restart"
              + " ./tidemark up, which makes a new one and so ends the tokens issued so far",
          e);
    }
  }

  private static ECKey newKey() {
    try {
      return new ECKeyGenerator(Curve.P_256)
          .keyUse(KeyUse.SIGNATURE)
          .algorithm(JWSAlgorithm.ES256)
          .keyIDFromThumbprint(true)
          .generate();
    } catch (JOSEException e) {
      throw new IllegalStateException("this JDK makes no P-256 key", e);
    }
  }

  /** What a verifier needs: the public key alone. */
  public JWKSet publicJwkSet() {
    return new JWKSet(key.toPublicJWK());
  }

  /**
   * Issues a token.
   *
   * @param tenant the tenant that its bearer acts for, not empty
   * @param roles the bearer's roles; may be empty
   * @param ttl how long it is valid from now, one second or more
   * @return the compact JWT
   */
  public String issue(String tenant, List<String> roles, Duration ttl) {
    if (tenant.isBlank()) {
      throw new IllegalArgumentException("the tenant of a token is not empty");
    }
    if (ttl.toSeconds() < 1) {
      throw new IllegalArgumentException("a token is valid for 1 s or longer, not " + ttl);
    }
    Instant now = clock.instant();
    JWTClaimsSet claims =
        new JWTClaimsSet.Builder()
            .issuer(ISSUER)
            .audience(AUDIENCE)
            .subject("local:" + tenant)
            .claim("tenant", tenant)
            .claim("roles", List.copyOf(roles))
            .issueTime(Date.from(now))
            .expirationTime(Date.from(now.plus(ttl)))
            .build();
    JWSHeader header =
        new JWSHeader.Builder(JWSAlgorithm.ES256)
            .type(JOSEObjectType.JWT)
            .keyID(key.getKeyID())
            .build();
    SignedJWT token = new SignedJWT(header, claims);
    try {
      token.sign(new ECDSASigner(key));
    } catch (JOSEException e) {
      throw new IllegalStateException("issuer key " + key.getKeyID() + " does not sign", e);
    }
    return token.serialize();
  }
}
