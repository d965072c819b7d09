# Sourced by mvnw and cistern: sets and exports JAVA_HOME to a JDK 25, or says what was searched and exits with 1.
# Reads each JDK's `release` file, since starting a java to ask its version costs more than all else here.

is_jdk_25() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
  while read -r line; do
    case $line in
    'JAVA_VERSION="25"'* | 'JAVA_VERSION="25.'*) return 0 ;;
    esac
  done <"$1/release"
  return 1
}

find_jdk_25() {
  java_on_path=$(command -v java) && java_on_path=$(readlink -f "$java_on_path") || java_on_path=
  macos_home=
  [ ! -x /usr/libexec/java_home ] || macos_home=$(/usr/libexec/java_home -v 25 2>/dev/null) || macos_home=
  for jdk in "${JAVA_HOME-}" "${java_on_path%/bin/java}" /usr/lib/jvm/* "${HOME-}"/.sdkman/candidates/java/* \
    "${HOME-}"/.jdks/* "$macos_home" /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if [ -n "$jdk" ] && is_jdk_25 "$jdk"; then
      JAVA_HOME=$jdk
      export JAVA_HOME
      return 0
    fi
  done
  cat >&2 <<-END
	Cistern needs a JDK 25 and found none. Searched, in this order:
	  JAVA_HOME            ${JAVA_HOME:-(not set)}
	  java on the PATH     ${java_on_path:-(none)}
	  folders              /usr/lib/jvm/*, ~/.sdkman/candidates/java/*, ~/.jdks/*, /Library/Java/JavaVirtualMachines/*
	Install a JDK 25 (for example Eclipse Temurin 25) in one of these places, or set JAVA_HOME to where it is.
	END
  return 1
}

find_jdk_25 || exit 1
