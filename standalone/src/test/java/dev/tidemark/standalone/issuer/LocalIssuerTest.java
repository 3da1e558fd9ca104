package dev.tidemark.standalone.issuer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.tidemark.standalone.data.InstallationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalIssuerTest {

  @TempDir private Path folder = Path.of("");

  @Test
  void tokenCarriesTheClaimsAndVerifiesUnderThePublicKey() throws Exception {
    LocalIssuer issuer = LocalIssuer.loadOrCreate(folder);

    SignedJWT token =
        SignedJWT.parse(issuer.issue("acme", List.of("ops", "care"), Duration.ofMinutes(30)));

    assertThat(token.getHeader().getAlgorithm()).isEqualTo(JWSAlgorithm.ES256);
    assertThat(
            token.verify(
                new ECDSAVerifier(
                    issuer.publicJwkSet().getKeyByKeyId(token.getHeader().getKeyID()).toECKey())))
        .isTrue();
    JWTClaimsSet claims = token.getJWTClaimsSet();
    assertThat(claims.getStringClaim("tenant")).isEqualTo("acme");
    assertThat(claims.getStringListClaim("roles")).containsExactly("ops", "care");
    assertThat(claims.getAudience()).containsExactly(LocalIssuer.AUDIENCE);
    assertThat(claims.getIssuer()).isEqualTo(LocalIssuer.ISSUER);
    assertThat(claims.getSubject()).isNotEmpty();
    assertThat(
            Duration.between(
                claims.getIssueTime().toInstant(), claims.getExpirationTime().toInstant()))
        .isEqualTo(Duration.ofMinutes(30));
  }

  @Test
  void keyIsMadeOnceForItsOwnerAlone() throws Exception {
    LocalIssuer first = LocalIssuer.loadOrCreate(folder);
    LocalIssuer second = LocalIssuer.loadOrCreate(folder);

    assertThat(second.publicJwkSet()).isEqualTo(first.publicJwkSet());
    assertThat(LocalIssuer.load(folder).publicJwkSet()).isEqualTo(first.publicJwkSet());
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve("issuer.json"))))
        .isEqualTo("rw-------");
  }

  @Test
  void publicKeysHoldNoPrivatePart() throws Exception {
    assertThat(LocalIssuer.loadOrCreate(folder).publicJwkSet().getKeys())
        .singleElement()
        .matches(key -> !key.isPrivate());
  }

  @Test
  void folderWithoutIssuerIsRefusedWithWhatToDo() {
    assertThatExceptionOfType(InstallationException.class)
        .isThrownBy(() -> LocalIssuer.load(folder))
        .withMessageContaining(folder.toString())
        .withMessageContaining("./tidemark up");
  }

  @Test
  void damagedKeyIsRefusedAndNotReplaced() throws Exception {
    Files.writeString(folder.resolve("issuer.json"), "{}");
    assertThatExceptionOfType(InstallationException.class)
        .isThrownBy(() -> LocalIssuer.loadOrCreate(folder))
        .withMessageContaining("is not a private EC key");
  }
}
