package dev.tidemark.tests.mutant;

import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.function.Predicate;

/** A mutant: the class that it changes, and how. */
enum Mutant {
  /** The token lies before an asynchronous commit. */
  TOKEN_FROM_CURRENT_WAL_LSN(
      "dev.tidemark.gateway.sync.SourcePosition",
      text("pg_current_wal_insert_lsn", "pg_current_wal_lsn")),

  /** The watermark is committed by itself, before its rows. */
  WATERMARK_APART_FROM_ROWS(
      "dev.tidemark.projector.replica.ReplicaConnection", atTheStart("commit", "watermarkFirst")),

  /** Nothing keeps a projector from writing that has lost its partition. */
  UNFENCED_PROJECTOR(
      "dev.tidemark.projector.replica.ReplicaConnection",
      text("epoch = ? and log_offset = ?", "(epoch = ? or true) and (log_offset = ? or true)")
          .andThen(text("partition = ? and epoch = ?", "partition = ? and (epoch = ? or true)"))),

  /** A connection stays bound to the tenant that it was bound to first. */
  TENANT_PER_SESSION(
      "dev.tidemark.gateway.replica.ReadSql",
      text(
          "set_config('tidemark.tenant', ?, true)",
          "set_config('tidemark.tenant',"
              + " coalesce(nullif(current_setting('tidemark.tenant', true), ''), ?), false)")),

  /** A position is stored before Kafka has acknowledged what lies before it. */
  OFFSET_BEFORE_ACKNOWLEDGEMENT(
      "dev.tidemark.capture.LogWriter",
      afterCall("storable", AtomicIntegerGet.NAME, AtomicIntegerGet.OWNER)),

  /** Of several partitions' watermarks the largest is told. */
  MAXIMUM_INSTEAD_OF_MINIMUM("dev.tidemark.gateway.sync.SyncStatus", renamedCall("min", "max"));

  private final String className;
  private final ClassTransform transform;

  Mutant(String className, ClassTransform transform) {
    this.className = className;
    this.transform = transform;
  }

  /** The internal name of the class that it changes. */
  String internalName() {
    return className.replace('.', '/');
  }

  ClassTransform transform() {
    return transform;
  }

  private static final class AtomicIntegerGet {
    static final String NAME = "get";
    static final String OWNER = "java/util/concurrent/atomic/AtomicInteger";
  }

  /** Another text in every constant that holds it. */
  private static ClassTransform text(String from, String to) {
    return ClassTransform.transformingMethodBodies(
        (builder, element) -> {
          if (element instanceof ConstantInstruction constant
              && constant.constantValue() instanceof String value
              && value.contains(from)) {
            builder.loadConstant(value.replace(from, to));
          } else {
            builder.with(element);
          }
        });
  }

  /** Calls of a stream's method become calls of another. */
  private static ClassTransform renamedCall(String from, String to) {
    ClassDesc stream = ClassDesc.of("java.util.stream.Stream");
    return ClassTransform.transformingMethodBodies(
        named("replicated"),
        (builder, element) -> {
          if (element instanceof InvokeInstruction call
              && call.name().equalsString(from)
              && call.owner().asSymbol().equals(stream)) {
            builder.invokeinterface(stream, to, call.typeSymbol());
          } else {
            builder.with(element);
          }
        });
  }

  /** The result of a call becomes 0. */
  private static ClassTransform afterCall(String method, String name, String owner) {
    return ClassTransform.transformingMethodBodies(
        named(method),
        (builder, element) -> {
          builder.with(element);
          if (element instanceof InvokeInstruction call
              && call.name().equalsString(name)
              && call.owner().asInternalName().equals(owner)) {
            builder.pop().iconst_0();
          }
        });
  }

  /** A method begins with a call of {@link Interference}, with itself and its first argument. */
  private static ClassTransform atTheStart(String method, String interference) {
    CodeTransform transform =
        new CodeTransform() {
          @Override
          public void atStart(java.lang.classfile.CodeBuilder builder) {
            builder
                .aload(0)
                .aload(1)
                .invokestatic(
                    ClassDesc.of(Interference.class.getName()),
                    interference,
                    MethodTypeDesc.of(
                        ConstantDescs.CD_void, ConstantDescs.CD_Object, ConstantDescs.CD_Object));
          }

          @Override
          public void accept(
              java.lang.classfile.CodeBuilder builder, java.lang.classfile.CodeElement element) {
            builder.with(element);
          }
        };
    return ClassTransform.transformingMethodBodies(named(method), transform);
  }

  private static Predicate<MethodModel> named(String method) {
    return model -> model.methodName().equalsString(method);
  }
}
