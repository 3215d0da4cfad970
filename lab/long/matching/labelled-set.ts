// Components with a CVE of which a public source says whether it affects them. The labels are facts of sources that the
// catalog does not read, or of lists that it does not use: vendors' pages and databases of ecosystems. A pair has the same
// CVE with an affected version and an unaffected one, mostly the last and the first of a boundary.

/** Package URL without a version, or part, vendor and product of a CPE name; CVE; affected and unaffected version. */
type Pair = readonly [name: string, cve: string, affected: string, unaffected: string]

export interface Label {
  readonly group: string
  readonly name: string
  readonly cve: string
  readonly version: string
  readonly isAffected: boolean
}

/** Patched versions of the Ruby advisory database; the affected version is an earlier release. */
const RUBYSEC: readonly Pair[] = [
  ['pkg:gem/publify_core', 'CVE-2023-0569', '9.2.9', '9.2.10'],
  ['pkg:gem/openssl', 'CVE-2018-16395', '2.0.0', '2.1.2'],
  ['pkg:gem/passenger', 'CVE-2014-1832', '4.0.37', '4.0.38'],
  ['pkg:gem/mechanize', 'CVE-2022-31033', '2.7.7', '2.8.5'],
  ['pkg:gem/puppet', 'CVE-2012-3408', '2.7.13', '2.7.18'],
  ['pkg:gem/actionview', 'CVE-2020-8163', '4.2.11.1', '4.2.11.2'],
  ['pkg:gem/omniauth', 'CVE-2015-9284', '1.3.2', '2.0.0'],
  ['pkg:gem/rails', 'CVE-2007-3227', '1.2.4', '1.2.5'],
  ['pkg:gem/nokogiri', 'CVE-2017-15412', '1.8.1', '1.8.2'],
  ['pkg:gem/grpc', 'CVE-2023-32731', '1.53.0', '1.53.1'],
  ['pkg:gem/jquery-rails', 'CVE-2020-11023', '4.3.4', '4.4.0'],
  ['pkg:gem/yard', 'CVE-2024-27285', '0.9.20', '0.9.36'],
  ['pkg:gem/redcarpet', 'CVE-2020-26298', '3.3.2', '3.5.1'],
  ['pkg:gem/rubyzip', 'CVE-2018-1000544', '1.2.1', '1.2.2'],
  ['pkg:gem/sinatra', 'CVE-2024-21510', '3.0.4', '4.1.0'],
  ['pkg:gem/paperclip', 'CVE-2017-0889', '4.2.2', '5.2.0'],
  ['pkg:gem/rails-html-sanitizer', 'CVE-2022-32209', '1.0.4', '1.4.3'],
  ['pkg:gem/git', 'CVE-2022-47318', '1.11.0', '1.13.0'],
]

/** Branches of the security advisories of FriendsOfPHP: their first version and their end. */
const FRIENDS_OF_PHP: readonly Pair[] = [
  ['pkg:composer/drupal/drupal', 'CVE-2020-13668', '8.7.0', '8.8.10'],
  ['pkg:composer/shopware/shopware', 'CVE-2016-3109', '5.0.0', '5.1.5'],
  ['pkg:composer/sylius/resource-bundle', 'CVE-2020-15143', '1.0.0', '1.3.14'],
  ['pkg:composer/symfony/security-core', 'CVE-2016-2403', '2.8.0', '2.8.6'],
  ['pkg:composer/typo3/cms-core', 'CVE-2022-36107', '10.0.0', '10.4.32'],
  ['pkg:composer/react/http', 'CVE-2022-36032', '0.7.0', '1.7.0'],
  ['pkg:composer/silverstripe/framework', 'CVE-2022-28803', '4.0.0', '4.10.9'],
  ['pkg:composer/studiomitte/friendlycaptcha', 'CVE-2024-38873', '0.0.1', '0.1.4'],
  ['pkg:composer/magento/product-community-edition', 'CVE-2019-7890', '2.2', '2.2.9'],
  ['pkg:composer/mautic/core', 'CVE-2020-35124', '3.2.0', '3.2.4'],
  ['pkg:composer/mediawiki/core', 'CVE-2019-12472', '1.27.0', '1.27.6'],
  ['pkg:composer/friendsofsymfony1/symfony1', 'CVE-2024-28859', '1.3.0', '1.5.18'],
  ['pkg:composer/simplesamlphp/simplesamlphp', 'CVE-2017-12868', '1.14.12', '1.14.14'],
  ['pkg:composer/wp-cli/wp-cli', 'CVE-2021-29504', '2.0.0', '2.5.0'],
  ['pkg:composer/aws/aws-sdk-php', 'CVE-2015-5723', '3.0.0', '3.2.1'],
  ['pkg:composer/zfcampus/zf-apigility-doctrine', 'CVE-2015-5723', '1.0.0', '1.0.3'],
  ['pkg:composer/zendframework/zendframework', 'CVE-2015-5723', '2.4.0', '2.4.8'],
  ['pkg:composer/swiftmailer/swiftmailer', 'CVE-2016-10074', '5.0.0', '5.4.5'],
]

/** Lists of releases of the Python advisory database: the last listed release and the next one. */
const PYPA: readonly Pair[] = [
  ['pkg:pypi/vyper', 'CVE-2023-39363', '0.3.9', '0.3.10'],
  ['pkg:pypi/tensorflow-gpu', 'CVE-2021-37682', '2.4.2', '2.4.3'],
  ['pkg:pypi/werkzeug', 'CVE-2016-10516', '0.11.10', '0.11.11'],
  ['pkg:pypi/tensorflow', 'CVE-2020-15206', '2.3.0', '2.3.1'],
  ['pkg:pypi/tensorflow-cpu', 'CVE-2021-37652', '2.4.2', '2.4.3'],
  ['pkg:pypi/rdiffweb', 'CVE-2022-4018', '2.4.10', '2.4.11'],
  ['pkg:pypi/apache-airflow', 'CVE-2023-50943', '2.8.0', '2.8.1'],
  ['pkg:pypi/bleach', 'CVE-2020-6817', '3.1.3', '3.1.4'],
  ['pkg:pypi/matrix-synapse', 'CVE-2021-21274', '1.24.0', '1.25.0'],
  ['pkg:pypi/django-anymail', 'CVE-2018-6596', '1.2', '1.2.1'],
  ['pkg:pypi/django', 'CVE-2013-0305', '1.4.3', '1.4.4'],
  ['pkg:pypi/moin', 'CVE-2020-15275', '1.9.10', '1.9.11'],
  ['pkg:pypi/salt', 'CVE-2020-28972', '3002.4', '3002.5'],
  ['pkg:pypi/httpie', 'CVE-2022-24737', '3.0.2', '3.1.0'],
  ['pkg:pypi/datasette', 'CVE-2021-32670', '0.56', '0.56.1'],
  ['pkg:pypi/plone', 'CVE-2016-7138', '5.0.6', '5.0.7'],
  ['pkg:pypi/ipython', 'CVE-2015-4707', '3.1.0', '3.2.0'],
  ['pkg:pypi/pyftpdlib', 'CVE-2008-7262', '0.2.0', '0.3.0'],
]

/** CSAF documents of Palo Alto Networks: the first version of a series and the version with the fix. */
const PALO_ALTO: readonly Pair[] = [
  ['cpe:o:paloaltonetworks:pan-os', 'CVE-2024-8691', '10.1.0', '10.1.11'],
  ['cpe:o:paloaltonetworks:pan-os', 'CVE-2023-6792', '9.0.0', '9.0.17'],
  ['cpe:o:paloaltonetworks:pan-os', 'CVE-2023-0007', '10.0.0', '10.0.7'],
  ['cpe:o:paloaltonetworks:pan-os', 'CVE-2023-6795', '9.1.0', '9.1.12'],
  ['cpe:o:paloaltonetworks:pan-os', 'CVE-2024-2551', '10.2.0', '10.2.4-h6'],
  ['cpe:o:paloaltonetworks:pan-os', 'CVE-2023-6794', '9.0.0', '9.0.17-h1'],
  ['cpe:o:paloaltonetworks:pan-os', 'CVE-2024-5918', '10.2.0', '10.2.4-h5'],
  ['cpe:o:paloaltonetworks:pan-os', 'CVE-2024-3383', '11.0.0', '11.0.3'],
  ['cpe:o:paloaltonetworks:pan-os', 'CVE-2023-0005', '8.1.0', '8.1.24'],
  ['cpe:o:paloaltonetworks:pan-os', 'CVE-2024-5920', '10.2.0', '10.2.11'],
  ['cpe:o:paloaltonetworks:pan-os', 'CVE-2024-5917', '10.2.0', '10.2.2'],
  ['cpe:o:paloaltonetworks:pan-os', 'CVE-2023-6789', '10.2.0', '10.2.5'],
  ['cpe:o:paloaltonetworks:pan-os', 'CVE-2024-9471', '11.0.0', '11.0.3'],
  ['cpe:o:paloaltonetworks:pan-os', 'CVE-2024-0010', '9.0.0', '9.0.17-h4'],
]
/** Announcements of the Apache, Spring, Struts, Jackson and other projects. */
const MAVEN: readonly Pair[] = [
  ['pkg:maven/org.apache.logging.log4j/log4j-core', 'CVE-2021-44228', '2.14.1', '2.15.0'],
  ['pkg:maven/org.apache.logging.log4j/log4j-core', 'CVE-2021-45046', '2.15.0', '2.16.0'],
  ['pkg:maven/org.apache.logging.log4j/log4j-core', 'CVE-2021-45105', '2.16.0', '2.17.0'],
  ['pkg:maven/org.apache.logging.log4j/log4j-core', 'CVE-2021-44832', '2.17.0', '2.17.1'],
  ['pkg:maven/org.springframework/spring-beans', 'CVE-2022-22965', '5.3.17', '5.3.18'],
  ['pkg:maven/org.springframework/spring-beans', 'CVE-2022-22965', '5.2.19.RELEASE', '5.2.20.RELEASE'],
  ['pkg:maven/org.springframework.cloud/spring-cloud-function-context', 'CVE-2022-22963', '3.1.6', '3.1.7'],
  ['pkg:maven/org.apache.commons/commons-text', 'CVE-2022-42889', '1.9', '1.10.0'],
  ['pkg:maven/org.yaml/snakeyaml', 'CVE-2022-1471', '1.33', '2.0'],
  ['pkg:maven/org.apache.struts/struts2-core', 'CVE-2017-5638', '2.3.31', '2.3.32'],
  ['pkg:maven/org.apache.struts/struts2-core', 'CVE-2017-5638', '2.5.10', '2.5.10.1'],
  ['pkg:maven/com.alibaba/fastjson', 'CVE-2022-25845', '1.2.82', '1.2.83'],
  ['pkg:maven/com.thoughtworks.xstream/xstream', 'CVE-2021-39144', '1.4.17', '1.4.18'],
]

/** Release notes of the packages. */
const NPM: readonly Pair[] = [
  ['pkg:npm/lodash', 'CVE-2019-10744', '4.17.11', '4.17.12'],
  ['pkg:npm/lodash', 'CVE-2021-23337', '4.17.20', '4.17.21'],
  ['pkg:npm/minimist', 'CVE-2021-44906', '1.2.5', '1.2.6'],
  ['pkg:npm/node-fetch', 'CVE-2022-0235', '2.6.6', '2.6.7'],
  ['pkg:npm/json5', 'CVE-2022-46175', '2.2.1', '2.2.2'],
  ['pkg:npm/json5', 'CVE-2022-46175', '1.0.1', '1.0.2'],
  ['pkg:npm/axios', 'CVE-2021-3749', '0.21.1', '0.21.2'],
  ['pkg:npm/express', 'CVE-2024-29041', '4.19.1', '4.19.2'],
  ['pkg:npm/ws', 'CVE-2024-37890', '8.17.0', '8.17.1'],
  ['pkg:npm/semver', 'CVE-2022-25883', '7.5.1', '7.5.2'],
  ['pkg:npm/follow-redirects', 'CVE-2024-28849', '1.15.5', '1.15.6'],
  ['pkg:npm/handlebars', 'CVE-2021-23369', '4.7.6', '4.7.7'],
]

/** Announcements of the Go team and of the projects. */
const GO: readonly Pair[] = [
  ['pkg:golang/golang.org/x/net', 'CVE-2023-39325', 'v0.16.0', 'v0.17.0'],
  ['pkg:golang/golang.org/x/crypto', 'CVE-2024-45337', 'v0.30.0', 'v0.31.0'],
  ['pkg:golang/golang.org/x/text', 'CVE-2022-32149', 'v0.3.7', 'v0.3.8'],
  ['pkg:golang/github.com/gin-gonic/gin', 'CVE-2023-29401', 'v1.9.0', 'v1.9.1'],
  ['pkg:golang/github.com/opencontainers/runc', 'CVE-2024-21626', 'v1.1.11', 'v1.1.12'],
  ['pkg:golang/stdlib', 'CVE-2023-24538', '1.20.2', '1.20.3'],
]

/** Release notes of the crates. */
const CARGO: readonly Pair[] = [
  ['pkg:cargo/time', 'CVE-2020-26235', '0.2.22', '0.2.23'],
  ['pkg:cargo/tokio', 'CVE-2021-45710', '1.13.0', '1.13.1'],
  ['pkg:cargo/regex', 'CVE-2022-24713', '1.5.4', '1.5.5'],
  ['pkg:cargo/hyper', 'CVE-2021-32714', '0.14.9', '0.14.10'],
  ['pkg:cargo/rustls', 'CVE-2024-32650', '0.23.4', '0.23.5'],
  ['pkg:cargo/smallvec', 'CVE-2021-25900', '1.6.0', '1.6.1'],
]

/** Announcements of Microsoft and of the Apache project. */
const NUGET: readonly Pair[] = [
  ['pkg:nuget/System.Text.Encodings.Web', 'CVE-2021-26701', '4.5.0', '4.5.1'],
  ['pkg:nuget/System.Text.Encodings.Web', 'CVE-2021-26701', '4.7.1', '4.7.2'],
  ['pkg:nuget/System.Text.Encodings.Web', 'CVE-2021-26701', '5.0.0', '5.0.1'],
  ['pkg:nuget/Newtonsoft.Json', 'CVE-2024-21907', '12.0.3', '13.0.1'],
  ['pkg:nuget/log4net', 'CVE-2018-1285', '2.0.9', '2.0.10'],
]

/** Debian security advisories DSA-5764, DSA-5724 and DSA-5611: the revision before the backport, and that of the backport. */
const DEBIAN: readonly Pair[] = [
  ['pkg:deb/debian/openssl?distro=debian-12', 'CVE-2024-6119', '3.0.14-1~deb12u1', '3.0.14-1~deb12u2'],
  ['pkg:deb/debian/openssh?distro=debian-12', 'CVE-2024-6387', '1:9.2p1-2+deb12u2', '1:9.2p1-2+deb12u3'],
  ['pkg:deb/debian/glibc?distro=debian-12', 'CVE-2023-6246', '2.36-9+deb12u3', '2.36-9+deb12u4'],
]

/** Errata RHSA-2023:5453 and RHSA-2024:4312 of Red Hat, whose revisions AlmaLinux rebuilds. */
const RPM: readonly Pair[] = [
  ['pkg:rpm/almalinux/glibc?distro=almalinux-9', 'CVE-2023-4911', '2.34-60.el9', '2.34-60.el9_2.7'],
  ['pkg:rpm/almalinux/openssh?distro=almalinux-9', 'CVE-2024-6387', '8.7p1-38.el9', '8.7p1-38.el9_4.1'],
]

/** Security pages of the vendors. */
const PRODUCTS: readonly Pair[] = [
  ['cpe:a:apache:http_server', 'CVE-2021-41773', '2.4.49', '2.4.50'],
  ['cpe:a:apache:http_server', 'CVE-2021-42013', '2.4.50', '2.4.51'],
  ['cpe:a:apache:http_server', 'CVE-2024-38475', '2.4.59', '2.4.60'],
  ['cpe:a:openssl:openssl', 'CVE-2014-0160', '1.0.1f', '1.0.1g'],
  ['cpe:a:openssl:openssl', 'CVE-2022-3602', '3.0.6', '3.0.7'],
  ['cpe:a:openssl:openssl', 'CVE-2023-0286', '1.1.1s', '1.1.1t'],
  ['cpe:a:f5:nginx', 'CVE-2021-23017', '1.20.0', '1.20.1'],
  ['cpe:a:haxx:curl', 'CVE-2023-38545', '8.3.0', '8.4.0'],
  ['cpe:a:haxx:libcurl', 'CVE-2023-38545', '8.3.0', '8.4.0'],
  ['cpe:a:haxx:libcurl', 'CVE-2023-38545', '7.69.0', '7.68.0'],
  ['cpe:o:fortinet:fortios', 'CVE-2024-21762', '7.4.2', '7.4.3'],
  ['cpe:o:fortinet:fortios', 'CVE-2024-21762', '7.2.6', '7.2.7'],
  ['cpe:o:fortinet:fortios', 'CVE-2022-42475', '7.2.2', '7.2.3'],
  ['cpe:o:linux:linux_kernel', 'CVE-2022-0847', '5.16.10', '5.16.11'],
  ['cpe:o:linux:linux_kernel', 'CVE-2022-0847', '5.10.101', '5.10.102'],
  ['cpe:o:linux:linux_kernel', 'CVE-2022-0847', '5.8', '5.7'],
  ['cpe:a:sudo_project:sudo', 'CVE-2021-3156', '1.9.5p1', '1.9.5p2'],
  ['cpe:a:atlassian:confluence_data_center', 'CVE-2022-26134', '7.18.0', '7.18.1'],
  ['cpe:a:gitlab:gitlab', 'CVE-2021-22205', '13.10.2', '13.10.3'],
  ['cpe:a:redis:redis', 'CVE-2023-28856', '7.0.10', '7.0.11'],
  ['cpe:a:apache:tomcat', 'CVE-2020-1938', '9.0.30', '9.0.31'],
]

const GROUPS: Readonly<Record<string, readonly Pair[]>> = {
  rubysec: RUBYSEC,
  friendsofphp: FRIENDS_OF_PHP,
  pypa: PYPA,
  paloalto: PALO_ALTO,
  maven: MAVEN,
  npm: NPM,
  go: GO,
  cargo: CARGO,
  nuget: NUGET,
  debian: DEBIAN,
  rpm: RPM,
  products: PRODUCTS,
}

export const LABELS: readonly Label[] = Object.entries(GROUPS).flatMap(([group, pairs]) =>
  pairs.flatMap(([name, cve, affected, unaffected]) => [
    { group, name, cve, version: affected, isAffected: true },
    { group, name, cve, version: unaffected, isAffected: false },
  ]),
)
