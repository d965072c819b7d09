package io.cistern.vulkan;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A shader put together by hand: {@code target[x] = source[x] * 3 + x} for numbers of 32 bits, 64
 * at a time.
 *
 * <p>The names in the disassembly beside each line are the numbers that it gives its results.
 */
final class ComputeShader {

  /** How many numbers a work group takes. */
  static final int GROUP = 64;

  private static final int MAIN = 1;
  private static final int PLACE = 2;
  private static final int ARRAY = 3;
  private static final int BLOCK = 4;
  private static final int SOURCE = 5;
  private static final int TARGET = 6;
  private static final int VOID = 7;
  private static final int FUNCTION = 8;
  private static final int UINT = 9;
  private static final int VECTOR = 10;
  private static final int INPUT_POINTER = 11;
  private static final int BLOCK_POINTER = 12;
  private static final int UINT_POINTER = 13;
  private static final int ZERO = 14;
  private static final int THREE = 15;
  private static final int START = 16;
  private static final int PLACES = 17;
  private static final int X = 18;
  private static final int FROM = 19;
  private static final int NUMBER = 20;
  private static final int TRIPLE = 21;
  private static final int SUM = 22;
  private static final int TO = 23;
  private static final int BOUND = 24;

  private final List<Integer> words = new ArrayList<>();

  private ComputeShader() {}

  /** The words in a direct buffer. */
  static ByteBuffer code() {
    ComputeShader shader = new ComputeShader();
    shader.declare();
    shader.types();
    shader.body();
    ByteBuffer code =
        ByteBuffer.allocateDirect(shader.words.size() * 4).order(ByteOrder.nativeOrder());
    shader.words.forEach(code::putInt);
    return code.flip();
  }

  private void declare() {
    words.addAll(List.of(0x07230203, 0x00010000, 0, BOUND, 0)); // SPIR-V 1.0
    op(17, 1); // OpCapability Shader
    op(14, 0, 1); // OpMemoryModel Logical GLSL450
    op(15, 5, MAIN, 0x6e69616d, 0, PLACE); // OpEntryPoint GLCompute %main "main" %place
    op(16, MAIN, 17, GROUP, 1, 1); // OpExecutionMode %main LocalSize 64 1 1
    op(71, PLACE, 11, 28); // OpDecorate %place BuiltIn GlobalInvocationId
    op(71, ARRAY, 6, 4); // OpDecorate %array ArrayStride 4
    op(72, BLOCK, 0, 35, 0); // OpMemberDecorate %block 0 Offset 0
    op(71, BLOCK, 3); // OpDecorate %block BufferBlock
    op(71, SOURCE, 34, 0); // OpDecorate %source DescriptorSet 0
    op(71, SOURCE, 33, 0); // OpDecorate %source Binding 0
    op(71, TARGET, 34, 0); // OpDecorate %target DescriptorSet 0
    op(71, TARGET, 33, 1); // OpDecorate %target Binding 1
  }

  private void types() {
    op(19, VOID); // %void = OpTypeVoid
    op(33, FUNCTION, VOID); // %function = OpTypeFunction %void
    op(21, UINT, 32, 0); // %uint = OpTypeInt 32 0
    op(23, VECTOR, UINT, 3); // %vector = OpTypeVector %uint 3
    op(32, INPUT_POINTER, 1, VECTOR); // %input_pointer = OpTypePointer Input %vector
    op(59, INPUT_POINTER, PLACE, 1); // %place = OpVariable %input_pointer Input
    op(29, ARRAY, UINT); // %array = OpTypeRuntimeArray %uint
    op(30, BLOCK, ARRAY); // %block = OpTypeStruct %array
    op(32, BLOCK_POINTER, 2, BLOCK); // %block_pointer = OpTypePointer Uniform %block
    op(59, BLOCK_POINTER, SOURCE, 2); // %source = OpVariable %block_pointer Uniform
    op(59, BLOCK_POINTER, TARGET, 2); // %target = OpVariable %block_pointer Uniform
    op(32, UINT_POINTER, 2, UINT); // %uint_pointer = OpTypePointer Uniform %uint
    op(43, UINT, ZERO, 0); // %zero = OpConstant %uint 0
    op(43, UINT, THREE, 3); // %three = OpConstant %uint 3
  }

  private void body() {
    op(54, VOID, MAIN, 0, FUNCTION); // %main = OpFunction %void None %function
    op(248, START); // %start = OpLabel
    op(61, VECTOR, PLACES, PLACE); // %places = OpLoad %vector %place
    op(81, UINT, X, PLACES, 0); // %x = OpCompositeExtract %uint %places 0
    op(65, UINT_POINTER, FROM, SOURCE, ZERO, X); // %from = OpAccessChain … %source %zero %x
    op(61, UINT, NUMBER, FROM); // %number = OpLoad %uint %from
    op(132, UINT, TRIPLE, NUMBER, THREE); // %triple = OpIMul %uint %number %three
    op(128, UINT, SUM, TRIPLE, X); // %sum = OpIAdd %uint %triple %x
    op(65, UINT_POINTER, TO, TARGET, ZERO, X); // %to = OpAccessChain … %target %zero %x
    op(62, TO, SUM); // OpStore %to %sum
    op(253); // OpReturn
    op(56); // OpFunctionEnd
  }

  private void op(int code, Integer... operands) {
    words.add((operands.length + 1) << 16 | code);
    words.addAll(List.of(operands));
  }
}
