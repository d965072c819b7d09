package io.cistern.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaPackage;
import java.io.ObjectInputStream;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Habits that bytecode shows. */
class HabitsTest {

  @Test
  void everyPackageIsNullMarked() {
    List<String> unmarked =
        Rooms.CLASSES.stream()
            .map(JavaClass::getPackage)
            .distinct()
            .filter(found -> !found.isAnnotatedWith(NullMarked.class))
            .map(JavaPackage::getName)
            .filter(name -> !name.isEmpty())
            .sorted()
            .toList();
    assertThat(unmarked).as("packages whose package-info lacks @NullMarked").isEmpty();
  }

  @Test
  void onlyTheCommandLineUsesTheStandardStreams() {
    noClasses()
        .that(DescribedPredicate.not(resideInAPackage("io.cistern.cli..")))
        .should(ACCESS_STANDARD_STREAMS)
        .check(Rooms.CLASSES);
  }

  /**
   * Traces come from strangers: what reads them has no means to look up a class or run anything.
   */
  @Test
  void readersOfTracesRunNothing() {
    noClasses()
        .that()
        .resideInAPackage("io.cistern.trace..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("java.lang.reflect..")
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(
            ClassLoader.class,
            MethodHandles.Lookup.class,
            ObjectInputStream.class,
            ProcessBuilder.class,
            ServiceLoader.class)
        .orShould()
        .callMethod(Class.class, "forName", String.class)
        .orShould()
        .callMethod(Runtime.class, "exec", String[].class)
        .orShould()
        .callMethod(System.class, "load", String.class)
        .check(Rooms.CLASSES);
  }
}
