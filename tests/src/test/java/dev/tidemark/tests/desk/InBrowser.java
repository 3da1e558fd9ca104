package dev.tidemark.tests.desk;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that need a Chrome or Chromium. They take a {@link Desk} as an argument, and are left out
 * where there is no browser; {@link LeftOut} says so at the end of the run.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag(InBrowser.TAG)
@ExtendWith(DeskExtension.class)
public @interface InBrowser {

  /** The tag of these tests. */
  String TAG = "browser";
}
