/**
 * The pages under {@code /desk/} and the JavaScript module, in a real browser ({@link
 * dev.tidemark.tests.desk.InBrowser}). All tests share one browser and one pipeline ({@link
 * dev.tidemark.tests.desk.Desk}); each has a browser context of its own.
 */
@NullMarked
package dev.tidemark.tests.desk;

import org.jspecify.annotations.NullMarked;
