package dev.tidemark.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimsTest {

  @Test
  void readsTheCaller() throws Exception {
    Caller caller =
        Claims.caller(Map.of("sub", "lan", "tenant", "acme", "roles", List.of("ops", "care")));

    assertThat(caller.subject()).isEqualTo("lan");
    assertThat(caller.tenant()).isEqualTo("acme");
    assertThat(caller.roles()).containsExactlyInAnyOrder("ops", "care");
    assertThat(caller.toString()).doesNotContain("acme").doesNotContain("lan");
  }

  @Test
  void takesNoRolesForNoRoles() throws Exception {
    assertThat(Claims.caller(Map.of("sub", "lan", "tenant", "acme")).roles()).isEmpty();
  }

  @Test
  void keepsTheCaseOfTheTenant() throws Exception {
    assertThat(Claims.caller(Map.of("sub", "lan", "tenant", "ACME")).tenant()).isEqualTo("ACME");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "acme ",
        " acme",
        "\u00a0acme",
        "ac\u0000me",
        "ac\nme",
        "ac\u200bme",
        "a\ud800",
        "*"
      })
  void b37RefusesOddTenants(String tenant) {
    refused(Map.of("sub", "lan", "tenant", tenant), "tenant");
  }

  static List<Object> noTexts() {
    return List.of(List.of("acme", "globex"), List.of("acme"), 7, true, Map.of("a", "b"));
  }

  @ParameterizedTest
  @MethodSource("noTexts")
  void b37RefusesTenantsThatAreNoText(Object tenant) {
    refused(Map.of("sub", "lan", "tenant", tenant), "tenant");
  }

  @Test
  void b37RefusesAnAbsentTenant() {
    refused(Map.of("sub", "lan", "Tenant", "acme", "tenant_id", "acme"), "tenant");
    Map<String, Object> withNull = new HashMap<>(Map.of("sub", "lan"));
    withNull.put("tenant", null);
    refused(withNull, "tenant");
  }

  @Test
  void refusesATenantThatIsTooLong() throws Exception {
    refused(Map.of("sub", "lan", "tenant", "x".repeat(201)), "tenant");
    assertThat(Claims.caller(Map.of("sub", "lan", "tenant", "x".repeat(200))).tenant())
        .hasSize(200);
  }

  @Test
  void refusesAnAbsentSubject() {
    refused(Map.of("tenant", "acme"), "sub");
  }

  @Test
  void refusesRolesThatAreNoArrayOfTexts() {
    refused(Map.of("sub", "lan", "tenant", "acme", "roles", "admin"), "roles");
    refused(Map.of("sub", "lan", "tenant", "acme", "roles", List.of("ops", 1)), "roles");
    refused(Map.of("sub", "lan", "tenant", "acme", "roles", Arrays.asList("ops", null)), "roles");
    refused(Map.of("sub", "lan", "tenant", "acme", "roles", Map.of("admin", true)), "roles");
  }

  private static void refused(Map<String, ?> claims, String claim) {
    assertThatExceptionOfType(Claims.OddClaimException.class)
        .isThrownBy(() -> Claims.caller(claims))
        .withMessageContaining("the claim " + claim)
        .withMessageNotContaining("acme");
  }
}
