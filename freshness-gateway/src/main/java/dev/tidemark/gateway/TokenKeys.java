package dev.tidemark.gateway;

import java.net.URI;

/** Where the keys come from that tokens must be signed with. Only ES256 and RS256 are accepted. */
public sealed interface TokenKeys {

  /**
   * A JSON Web Key set (RFC 7517) as text, with public keys only: EC on P-256 for ES256, RSA of
   * 2048 bits or more for RS256.
   *
   * @param json the set
   */
  record JwkSet(String json) implements TokenKeys {

    @Override
    public String toString() {
      return "JwkSet[...]";
    }
  }

  /**
   * A URL that answers with a JSON Web Key set.
   *
   * @param uri http or https
   */
  record JwkSetUri(URI uri) implements TokenKeys {}

  /**
   * An OpenID Connect issuer, whose metadata name the key set. It is asked at the first token, not
   * at start-up, and {@code iss} must be equal to it.
   *
   * @param uri http or https
   */
  record Issuer(URI uri) implements TokenKeys {}
}
