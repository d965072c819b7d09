package io.cistern.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** No arrow goes back: what each package and each room may use. */
class ArrowsTest {

  /** A package, and those that stand below it in the reading order of its room. */
  static Stream<Arguments> packages() {
    return Stream.of(Rooms.CORE, Rooms.TRACE)
        .flatMap(
            room ->
                IntStream.range(0, room.length - 1)
                    .mapToObj(
                        i -> Arguments.of(room[i], Arrays.copyOfRange(room, i + 1, room.length))));
  }

  @ParameterizedTest
  @MethodSource("packages")
  void aPackageUsesOnlyWhatStandsAboveIt(String name, String[] below) {
    noClasses()
        .that()
        .resideInAPackage(name)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(below)
        .allowEmptyShould(true)
        .check(Rooms.CLASSES);
  }

  @Test
  void everyPackageOfTraceHasItsPlaceInTheOrder() {
    assertThat(
            Rooms.CLASSES.stream()
                .filter(resideInAPackage("io.cistern.trace.."))
                .map(JavaClass::getPackageName)
                .distinct())
        .containsExactlyInAnyOrder(Rooms.TRACE);
  }

  @Test
  void coreUsesOnlyJavaAndItself() {
    classes()
        .that()
        .resideInAnyPackage(Rooms.CORE)
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(Rooms.CORE)
                .or(resideInAnyPackage("java..", "org.jspecify.annotations"))
                .or(primitives()))
        .check(Rooms.CLASSES);
  }

  @Test
  void pagesAreNumbersAndNoMemory() {
    noClasses()
        .that()
        .resideInAPackage("io.cistern.page")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.lang.foreign..", "io.cistern.storage")
        .allowEmptyShould(true)
        .check(Rooms.CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.cistern.(**)").should().beFreeOfCycles().check(Rooms.CLASSES);
  }

  @Test
  void othersUseOnlyTheDoorsOfCore() {
    noClasses()
        .that(not(resideInAnyPackage(Rooms.CORE)))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.cistern.page", "io.cistern.pool")
        .check(Rooms.CLASSES);
  }

  /** A room's package, then the rooms beside core that it may use. */
  @ParameterizedTest
  @CsvSource({
    "io.cistern.ffi,",
    "io.cistern.host, io.cistern.ffi",
    "io.cistern.vulkan,",
    "io.cistern.gpu, io.cistern.ffi",
    "io.cistern.cuda, io.cistern.gpu",
    "io.cistern.hip, io.cistern.gpu",
    "io.cistern.opencl, io.cistern.ffi",
    "io.cistern.toml,",
    "io.cistern.jfr,",
    "io.cistern.trace,",
    "io.cistern.testkit,",
    "io.cistern.cli, io.cistern.toml io.cistern.trace",
  })
  void aRoomUsesOnlyCoreAndTheRoomsBelowIt(String room, String rooms) {
    String[] below = rooms == null ? new String[0] : rooms.split(" ");
    noClasses()
        .that()
        .resideInAPackage(room + "..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.cistern..")
                .and(not(resideInAnyPackage(Rooms.CORE)))
                .and(not(resideInAPackage(room + "..")))
                .and(not(resideInAnyPackage(withSubpackages(below)))))
        .allowEmptyShould(true)
        .check(Rooms.CLASSES);
  }

  private static String[] withSubpackages(String[] packages) {
    return Arrays.stream(packages).map(name -> name + "..").toArray(String[]::new);
  }

  private static DescribedPredicate<JavaClass> primitives() {
    return DescribedPredicate.describe(
        "primitives", type -> type.isPrimitive() || type.getBaseComponentType().isPrimitive());
  }
}
