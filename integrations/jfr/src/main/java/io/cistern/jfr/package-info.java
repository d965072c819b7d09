/**
 * Flight Recorder events of memory pools.
 *
 * <p>The memory of pools is off the heap or on a device, so no other tool of the JVM shows it. A
 * manager that is opened with a {@link io.cistern.jfr.MemoryFlightRecorder} tells Flight Recorder
 * what happens in it:
 *
 * {@snippet lang="java" :
 * MemoryFlightRecorder recorder = MemoryFlightRecorder.basic("weights");
 * try (MemoryManager memory =
 *     MemoryManager.builder(host).name("weights").listener(recorder).open()) {
 *   recorder.watch(memory); // until it is closed
 *   // ...
 * }
 * }
 *
 * <p>Names and fields of the events are part of this module's contract; the classes behind them are
 * not. Sizes are in bytes, and every event has the {@code manager}'s name.
 *
 * <table>
 * <caption>The events</caption>
 * <tr><th>name</th><th>when</th><th>further fields</th></tr>
 * <tr><td>{@code io.cistern.MemoryUsage}</td><td>each period, 1 s unless set otherwise</td>
 *     <td>as in {@link io.cistern.MemoryUsage}</td></tr>
 * <tr><td>{@code io.cistern.PageMade}</td><td>a pool got a page from the driver</td>
 *     <td>{@code pool}, {@code pageSize}</td></tr>
 * <tr><td>{@code io.cistern.PageGivenBack}</td><td>a pool gave a page back to the driver</td>
 *     <td>{@code pool}, {@code pageSize}</td></tr>
 * <tr><td>{@code io.cistern.PageKept}</td><td>the driver did not take a page back</td>
 *     <td>{@code pool}, {@code pageSize}, {@code message}</td></tr>
 * <tr><td>{@code io.cistern.Spilled}</td><td>a full pool passed a request on</td>
 *     <td>{@code pool}, {@code requestSize}, {@code first}</td></tr>
 * <tr><td>{@code io.cistern.Refused}</td><td>a request was refused</td>
 *     <td>{@code requestSize}, {@code thrownClass}, {@code message}, and the stack trace</td></tr>
 * <tr><td>{@code io.cistern.FaultFound}</td><td>bytes were written that nobody may write</td>
 *     <td>{@code kind}, {@code message}</td></tr>
 * <tr><td>{@code io.cistern.HandleLost}</td><td>a watched handle became unreachable, open</td>
 *     <td>{@code requestSize}, {@code calls}</td></tr>
 * <tr><td>{@code io.cistern.CleanedUp}</td><td>an explicit cleanup ended</td>
 *     <td>{@code givenBack}</td></tr>
 * <tr><td>{@code io.cistern.Installed}</td><td>another layout was installed</td>
 *     <td>{@code pools}</td></tr>
 * <tr><td>{@code io.cistern.Closed}</td><td>the manager was closed</td>
 *     <td>{@code liveAllocations}, {@code liveBytes}</td></tr>
 * <tr><td>{@code io.cistern.Served}</td><td>a request was served</td>
 *     <td>{@code pool}, {@code requestSize}</td></tr>
 * <tr><td>{@code io.cistern.Released}</td><td>the last handle of an allocation was closed</td>
 *     <td>{@code pool}, {@code requestSize}</td></tr>
 * </table>
 *
 * <p>All are off until a recording turns them on, one by one:
 *
 * {@snippet :
 * java -XX:StartFlightRecording:+io.cistern.MemoryUsage#enabled=true,filename=app.jfr ...
 * }
 *
 * <p>or with the settings file {@code META-INF/cistern.jfc} of this module's jar, which turns on
 * all but those of each request:
 *
 * {@snippet :
 * unzip -j cistern-jfr.jar META-INF/cistern.jfc
 * java -XX:StartFlightRecording:settings=default,settings=cistern.jfc,filename=app.jfr ...
 * }
 */
@NullMarked
package io.cistern.jfr;

import org.jspecify.annotations.NullMarked;
