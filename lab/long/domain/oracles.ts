// Programs whose order of versions decides. A program reads a pair of versions per line, separated by a tab, and writes
// -1, 0, 1 or, if it does not accept one of the versions, a question mark.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SchemeName } from '../../../service/src/domain/version/schemes.ts'

export interface Oracle {
  readonly scheme: SchemeName
  readonly name: string
  /** Package of Debian with the program. */
  readonly debianPackage: string
  /** Prints the version of the program, and fails if the program is not installed. */
  readonly probe: readonly string[]
  readonly command: readonly string[]
  readonly program: string
  /** Versions that the program reads and we do not. */
  readonly weRefuse?: RegExp
  /** Versions that we read and the program of Debian does not, because newer versions of the program do. */
  readonly newerFormsRead?: RegExp
}

type Pair = readonly [string, string]

const PYTHON = '/usr/bin/python3'

const DPKG = `
while IFS=$'\\t' read -r a b; do
  # dpkg only warns of most versions with a wrong form.
  if warning=$(dpkg --compare-versions "$a" lt "$b" 2>&1) && [ -z "$warning" ]; then echo -1
  elif [ -n "$warning" ]; then echo '?'
  elif dpkg --compare-versions "$a" gt "$b"; then echo 1
  else echo 0; fi
done`

const RPM = `
import re, rpm, sys
# rpmbuild rejects colons and hyphens in versions and releases; labelCompare does not look for them.
form = re.compile(r'(?:(\\d{1,10}):)?([^-:]+)(?:-([^-:]+))?')
def split(version):
    parts = form.fullmatch(version)
    if parts is None:
        raise ValueError
    return (parts[1] or '0', parts[2], parts[3] or '')
for line in sys.stdin:
    a, b = line.rstrip('\\n').split('\\t')
    try:
        print(rpm.labelCompare(split(a), split(b)))
    except ValueError:
        print('?')`

const PACKAGING = `
import sys
from packaging.version import InvalidVersion, Version
for line in sys.stdin:
    try:
        a, b = map(Version, line.rstrip('\\n').split('\\t'))
        print((a > b) - (a < b))
    except InvalidVersion:
        print('?')`

const GEM = `
STDIN.each_line do |line|
  begin
    a, b = line.chomp.split("\\t").map { |version| Gem::Version.new(version) }
    puts(a <=> b)
  rescue ArgumentError
    puts '?'
  end
end`

const COMPOSER = `<?php
require '/usr/share/php/Composer/Semver/autoload.php';
$parser = new Composer\\Semver\\VersionParser();
while (($line = fgets(STDIN)) !== false) {
    try {
        [$a, $b] = array_map([$parser, 'normalize'], explode("\\t", rtrim($line, "\\n")));
        $less = Composer\\Semver\\Comparator::lessThan($a, $b);
        $greater = Composer\\Semver\\Comparator::greaterThan($a, $b);
        echo $greater - $less, "\\n";
    } catch (UnexpectedValueException $error) {
        echo "?\\n";
    }
}`

const MAVEN = `
import java.io.*;
import org.apache.maven.artifact.versioning.ComparableVersion;
public class Compare {
  public static void main(String[] arguments) throws IOException {
    var lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] pair = line.split("\\t", -1);
      System.out.println(Integer.signum(new ComparableVersion(pair[0]).compareTo(new ComparableVersion(pair[1]))));
    }
  }
}`

/** Class path with ComparableVersion of another version of Maven than that of Debian. */
const MAVEN_CLASSES = process.env['MAVEN_ARTIFACT_JAR'] ?? '/usr/share/java/maven-artifact-3.x.jar'

export const ORACLES: readonly Oracle[] = [
  {
    scheme: 'deb',
    name: 'dpkg',
    debianPackage: 'dpkg',
    probe: ['dpkg', '--version'],
    command: ['bash'],
    program: DPKG,
  },
  {
    scheme: 'rpm',
    name: 'rpm.labelCompare',
    debianPackage: 'python3-rpm',
    probe: [PYTHON, '-c', 'import rpm; print("rpm", rpm.__version__)'],
    command: [PYTHON],
    program: RPM,
  },
  {
    scheme: 'maven',
    name: 'ComparableVersion',
    debianPackage: 'libmaven3-core-java and default-jdk-headless',
    probe: existsSync(MAVEN_CLASSES) ? ['java', '-version'] : ['ls', MAVEN_CLASSES],
    command: ['java', '-cp', MAVEN_CLASSES],
    program: MAVEN,
  },
  {
    scheme: 'pep440',
    name: 'packaging',
    debianPackage: 'python3-packaging',
    probe: [PYTHON, '-c', 'import packaging; print("packaging", packaging.__version__)'],
    command: [PYTHON],
    program: PACKAGING,
    weRefuse: /\d{16}/,
  },
  {
    scheme: 'gem',
    name: 'Gem::Version',
    debianPackage: 'ruby',
    probe: ['ruby', '--version'],
    command: ['ruby'],
    program: GEM,
  },
  {
    scheme: 'composer',
    name: 'composer/semver',
    debianPackage: 'php-cli and php-composer-semver',
    probe: ['php', '-r', "require '/usr/share/php/Composer/Semver/autoload.php'; echo PHP_VERSION;"],
    command: ['php'],
    program: COMPOSER,
    // Dates with two short numbers at the end, since composer/semver 3.4.
    newerFormsRead: /^v?\d{4}(?:[.:-]?\d{2})+[.:-]?\d{1,3}[.:-]?\d{1,3}/,
  },
]

/** Returns whether the program is installed. If not, prints which test is skipped and what to install. */
export function isInstalled({ scheme, name, debianPackage, probe: [file = '', ...rest] }: Oracle): boolean {
  const { status } = spawnSync(file, rest, { stdio: 'ignore' })
  if (status !== 0) process.stderr.write(`SKIPPED: ${scheme} against ${name}. Install Debian's ${debianPackage}.\n`)
  return status === 0
}

/** Returns the sign that the program gives to each pair, and undefined for a pair with a version that it rejects. */
export function askOracle(
  { command: [file = '', ...rest], program }: Oracle,
  pairs: readonly Pair[],
): (number | undefined)[] {
  const folder = mkdtempSync(join(tmpdir(), 'versions-'))
  try {
    // Java derives the language from the name of the file.
    const path = join(folder, file === 'java' ? 'Compare.java' : 'program')
    writeFileSync(path, program)
    const input = pairs.map((pair) => `${pair.join('\t')}\n`).join('')
    const output = execFileSync(file, [...rest, path], { input, encoding: 'utf8', maxBuffer: 2 ** 24 })
    return output
      .trimEnd()
      .split('\n')
      .map((line) => (line === '?' ? undefined : Number(line)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
