package io.cistern.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.storage.MemoryEvent;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import jdk.jfr.Configuration;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.SettingDescriptor;
import jdk.jfr.ValueDescriptor;
import org.junit.jupiter.api.Test;

/** What tools are told about the events. */
class EventTypesTest {

  private static final List<Class<? extends Event>> CLASSES =
      List.of(
          MemoryUsageEvent.class,
          PageMadeEvent.class,
          PageGivenBackEvent.class,
          PageKeptEvent.class,
          SpilledEvent.class,
          ServedEvent.class,
          ReleasedEvent.class,
          RefusedEvent.class,
          FaultFoundEvent.class,
          HandleLostEvent.class,
          CleanedUpEvent.class,
          InstalledEvent.class,
          ClosedEvent.class);

  private static final List<String> OF_REQUESTS =
      List.of("io.cistern.Served", "io.cistern.Released");

  private static Stream<EventType> types() {
    return CLASSES.stream().map(EventType::getEventType);
  }

  @Test
  void thereIsOneForEachMemoryEventAndOneForUsage() {
    List<String> names =
        Stream.concat(
                Stream.of("MemoryUsage"),
                Arrays.stream(MemoryEvent.class.getPermittedSubclasses()).map(Class::getSimpleName))
            .map(name -> "io.cistern." + name)
            .toList();
    assertThat(types().map(EventType::getName)).containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void eachIsOffAndSaysWhatItIs() {
    assertThat(types())
        .allSatisfy(
            type -> {
              assertThat(type.getCategoryNames()).containsExactly("Cistern");
              assertThat(type.getLabel()).isNotBlank();
              assertThat(type.getDescription()).isNotBlank();
              assertThat(setting(type, "enabled")).isEqualTo("false");
              assertThat(setting(type, "stackTrace"))
                  .isEqualTo(Boolean.toString(type.getName().equals("io.cistern.Refused")));
              assertThat(type.getField("manager")).isNotNull();
            });
  }

  private static String setting(EventType type, String name) {
    return type.getSettingDescriptors().stream()
        .filter(setting -> setting.getName().equals(name))
        .map(SettingDescriptor::getDefaultValue)
        .findFirst()
        .orElse("");
  }

  @Test
  void eachFieldHasALabelAndEachSizeItsUnit() {
    List<String> counts =
        List.of("startTime", "duration", "allocations", "allocationsPeak", "liveAllocations");
    assertThat(types().flatMap(type -> type.getFields().stream()))
        .allSatisfy(field -> assertThat(field.getLabel()).as(field.getName()).isNotBlank())
        .filteredOn(field -> field.getTypeName().equals("long"))
        .filteredOn(field -> !counts.contains(field.getName()))
        .isNotEmpty()
        .allSatisfy(field -> assertThat(unit(field)).as(field.getName()).isEqualTo("BYTES"));
  }

  private static String unit(ValueDescriptor field) {
    DataAmount amount = field.getAnnotation(DataAmount.class);
    return amount == null ? "none" : amount.value();
  }

  @Test
  void theSettingsFileTurnsOnAllButRequests() throws IOException, ParseException {
    Map<String, String> settings;
    try (Reader file =
        new InputStreamReader(
            MemoryFlightRecorder.class.getResourceAsStream("/META-INF/cistern.jfc"),
            StandardCharsets.UTF_8)) {
      settings = Configuration.create(file).getSettings();
    }
    assertThat(types())
        .allSatisfy(
            type ->
                assertThat(settings)
                    .containsEntry(
                        type.getName() + "#enabled",
                        Boolean.toString(!OF_REQUESTS.contains(type.getName()))));
    assertThat(settings.keySet())
        .allSatisfy(
            key ->
                assertThat(types().map(EventType::getName))
                    .contains(key.substring(0, key.indexOf('#'))));
  }
}
