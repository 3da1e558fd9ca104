package dev.tidemark.tests.mutant;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** The Java agent that puts a mutant into a JVM. */
public final class MutantAgent {

  private MutantAgent() {}

  /** Called by the JVM, with the name of the mutant. */
  public static void premain(String name, Instrumentation instrumentation) {
    instrumentation.addTransformer(new Transformer(Mutant.valueOf(name)));
  }

  private record Transformer(Mutant mutant) implements ClassFileTransformer {
    @Override
    public byte @Nullable [] transform(
        @Nullable ClassLoader loader,
        String className,
        @Nullable Class<?> redefined,
        ProtectionDomain domain,
        byte[] bytes) {
      if (!mutant.internalName().equals(className)) {
        return null;
      }
      try {
        ClassFile classFile =
            ClassFile.of(
                ClassFile.ClassHierarchyResolverOption.of(
                    ClassHierarchyResolver.defaultResolver()
                        .orElse(
                            ClassHierarchyResolver.ofResourceParsing(
                                ClassLoader.getSystemClassLoader()))));
        return classFile.transformClass(classFile.parse(bytes), mutant.transform());
      } catch (RuntimeException | Error e) {
        System.err.println("mutant " + mutant + " could not be made: " + e);
        throw e;
      }
    }
  }

  /** The option that starts a JVM with a mutant; its jar is made in the folder. */
  static String option(Path folder, Mutant mutant) throws IOException {
    Path jar = folder.resolve("mutant-agent.jar");
    if (!Files.exists(jar)) {
      Manifest manifest = new Manifest();
      manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
      manifest.getMainAttributes().putValue("Premain-Class", MutantAgent.class.getName());
      try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
        for (String name :
            List.of(
                "MutantAgent",
                "MutantAgent$Transformer",
                "Mutant",
                "Mutant$1",
                "Mutant$AtomicIntegerGet",
                "Interference")) {
          String entry =
              MutantAgent.class.getPackageName().replace('.', '/') + "/" + name + ".class";
          try (InputStream in = MutantAgent.class.getClassLoader().getResourceAsStream(entry)) {
            if (in == null) {
              throw new IOException(entry + " is not on the class path");
            }
            out.putNextEntry(new JarEntry(entry));
            in.transferTo(out);
          }
        }
      }
    }
    return "-javaagent:" + jar + "=" + mutant.name();
  }
}
