package dev.tidemark.client.spring;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Adds the listener to every transaction manager, also to those that Boot did not make. */
final class ListenerRegistration implements BeanPostProcessor {

  private final CommitListener listener;

  ListenerRegistration(CommitListener listener) {
    this.listener = listener;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (bean instanceof PlatformTransactionManager
        && bean instanceof ConfigurableTransactionManager manager) {
      manager.addListener(listener);
    }
    return bean;
  }
}
