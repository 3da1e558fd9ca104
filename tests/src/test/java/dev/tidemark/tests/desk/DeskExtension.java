package dev.tidemark.tests.desk;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives the shared {@link Desk} to tests, and leaves them out where there is no browser. */
final class DeskExtension implements ExecutionCondition, ParameterResolver {

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(DeskExtension.class);

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return BrowserProgram.find()
        .map(program -> ConditionEvaluationResult.enabled("browser: " + program))
        .orElseGet(() -> ConditionEvaluationResult.disabled("no Chrome or Chromium was found"));
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Desk.class;
  }

  /** One for the whole run: the root's store closes it at the end, on the tests' thread. */
  @Override
  public Desk resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .computeIfAbsent(
            Desk.class, key -> Desk.start(BrowserProgram.find().orElseThrow()), Desk.class);
  }
}
