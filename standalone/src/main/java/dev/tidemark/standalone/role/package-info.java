/**
 * One role in this JVM against servers of your own: {@link dev.tidemark.standalone.role.RoleFile}
 * reads the configuration file that all roles share, {@link dev.tidemark.standalone.role.SignIn}
 * and {@link dev.tidemark.standalone.role.ProblemReporter} tell an operator early what is wrong.
 * Nothing but {@code command} and the {@code tests} module may call this package.
 */
@NullMarked
package dev.tidemark.standalone.role;

import org.jspecify.annotations.NullMarked;
