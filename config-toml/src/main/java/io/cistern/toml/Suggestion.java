package io.cistern.toml;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that was probably meant. */
final class Suggestion {

  /** A word is close if at most one letter in this many differs. */
  private static final int LETTERS_PER_SLIP = 3;

  /** No word of ours is half as long. */
  private static final int LONGEST = 40;

  private Suggestion() {}

  /** The closest of the words, if one is close. */
  static Optional<String> closest(String word, List<String> words) {
    if (word.length() > LONGEST) {
      return Optional.empty();
    }
    String lower = word.toLowerCase(Locale.ROOT);
    return words.stream()
        .filter(known -> distance(lower, known) <= known.length() / LETTERS_PER_SLIP)
        .min(Comparator.comparingInt(known -> distance(lower, known)));
  }

  /** How many letters to insert, remove or replace (Levenshtein), row by row of the table. */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
