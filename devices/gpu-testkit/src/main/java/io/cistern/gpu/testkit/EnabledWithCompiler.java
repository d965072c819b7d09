package io.cistern.gpu.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/** Runs tests where the fake driver can be built. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EnabledIf(
    value = "io.cistern.gpu.testkit.FakeDriver#canBeBuilt",
    disabledReason = "the fake driver needs a C compiler, and there is no cc on the PATH")
public @interface EnabledWithCompiler {}
