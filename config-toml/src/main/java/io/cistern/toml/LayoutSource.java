package io.cistern.toml;

import com.fasterxml.jackson.core.JsonPointer;
import io.cistern.layout.LayoutException;
import io.cistern.layout.LayoutFault;
import io.cistern.layout.PoolLayout;
import io.cistern.storage.DeviceProperties;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A layout file as it was read: what it says, and where it says it.
 *
 * <p>{@link LayoutFile} is the value alone. This keeps the text beside it, so that a fault found
 * later, when the pools meet a device, still names file, line and column.
 */
public final class LayoutSource {

  private static final JsonPointer POOLS = JsonPointer.empty().appendProperty(Key.POOLS);

  private final Document document;
  private final LayoutFile layout;

  private LayoutSource(Document document) {
    this.document = document;
    this.layout = new LayoutReader(document).read();
  }

  /**
   * Reads a TOML file in UTF-8.
   *
   * @param path the file
   * @return the file as read
   * @throws LayoutFileException if the file can't be read or is no layout file
   */
  public static LayoutSource read(Path path) {
    return parse(FileText.read(path), path.toString());
  }

  /**
   * Reads a TOML text.
   *
   * @param text the whole text
   * @param fileName the name that errors give to it
   * @return the text as read
   * @throws LayoutFileException if it is no layout file
   */
  public static LayoutSource parse(String text, String fileName) {
    return new LayoutSource(Document.ofToml(origin(text, fileName)));
  }

  /**
   * Reads a JSON object with the keys of a layout file.
   *
   * @param text the whole text
   * @param name the name that errors give to it
   * @return the text as read
   * @throws LayoutFileException if it is no layout
   */
  public static LayoutSource parseJson(String text, String name) {
    return new LayoutSource(Document.ofJson(origin(text, name)));
  }

  private static Origin origin(String text, String name) {
    return new Origin(name, FileText.withoutMark(text));
  }

  /** What the file says. */
  public LayoutFile layout() {
    return layout;
  }

  /**
   * Works out what the pools mean on a device, as {@link PoolLayout#resolve} does.
   *
   * @param device the device's properties
   * @return the pools in routing order
   * @throws LayoutFileException if the pools can't work on the device; names the place of the pool
   *     or field at fault. The cause is the {@link LayoutException} with its values
   * @throws LayoutException if it is not the file but the device's alignment that is at fault
   */
  public PoolLayout resolve(DeviceProperties device) {
    try {
      return PoolLayout.resolve(layout.pools(), device);
    } catch (LayoutException e) {
      JsonPointer path = pathOf(e.fault()).orElseThrow(() -> e);
      throw document.origin().fault(document.places().value(path), e.fault().message(), e);
    }
  }

  /** What in the file a fault is about; empty: nothing in it. */
  private static Optional<JsonPointer> pathOf(LayoutFault fault) {
    return switch (fault) {
      case LayoutFault.EmptyList _, LayoutFault.PresetUnavailable _ -> Optional.of(POOLS);
      case LayoutFault.TooManyPools many -> Optional.of(POOLS.appendIndex(many.limit()));
      case LayoutFault.ZeroSize zero -> field(zero.entry(), zero.field());
      case LayoutFault.SliceLargerThanPage slice -> field(slice.entry(), Key.MAX_SLICE_SIZE);
      case LayoutFault.CapSmallerThanPage cap -> field(cap.entry(), Key.MAX_POOL_SIZE);
      case LayoutFault.OutOfRange range -> field(range.entry(), range.field());
      case LayoutFault.SlicedPoolsUnavailable sliced -> field(sliced.entry(), Key.TYPE);
      case LayoutFault.BadAlignment _ -> Optional.empty();
    };
  }

  private static Optional<JsonPointer> field(int entry, String field) {
    return Optional.of(POOLS.appendIndex(entry).appendProperty(field));
  }

  @Override
  public String toString() {
    return document.origin().file() + ": " + layout;
  }
}
