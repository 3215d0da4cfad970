// Packages of container images, with their names and versions, as purls with the source package.

const apk =
  (namespace: string, distro: string) =>
  (name: string, version: string, origin = name) =>
    `pkg:apk/${namespace}/${name}@${version}?arch=x86_64&distro=${distro}&upstream=${origin}`
const alpine = apk('alpine', 'alpine-3.22_alpha20250108')
const wolfi = apk('wolfi', 'wolfi-20230201')
const deb = (name: string, version: string, source = name) =>
  `pkg:deb/ubuntu/${name}@${encodeURIComponent(version)}?arch=amd64&distro=ubuntu-22.04&upstream=${source}`
const rpm = (name: string, version: string, source: string) =>
  `pkg:rpm/sles/${name}@${version}?arch=x86_64&distro=sles-15.6&upstream=${source}-${version}.src.rpm`

/** `alpine:edge` of January 2025 with some older packages, `ubuntu:22.04`, `bci-base:15.6` and `wolfi-base`. */
export const IMAGES: Readonly<Record<string, readonly string[]>> = {
  alpine: [
    alpine('apk-tools', '2.14.6-r2'),
    alpine('busybox', '1.36.1-r28'),
    alpine('ssl_client', '1.36.1-r28', 'busybox'),
    alpine('libcrypto3', '3.3.0-r2', 'openssl'),
    alpine('libssl3', '3.3.0-r2', 'openssl'),
    alpine('libcurl', '8.7.1-r0', 'curl'),
    alpine('libexpat', '2.6.2-r0', 'expat'),
    alpine('musl', '1.2.5-r8'),
    alpine('zlib', '1.3.1-r2'),
  ],
  ubuntu: [
    deb('bash', '5.1-6ubuntu1'),
    deb('libssl3', '3.0.2-0ubuntu1.15', 'openssl'),
    deb('openssh-client', '1:8.9p1-3ubuntu0.7', 'openssh'),
    deb('libc6', '2.35-0ubuntu3.6', 'glibc'),
    deb('libcurl4', '7.81.0-1ubuntu1.15', 'curl'),
    deb('libgnutls30', '3.7.3-4ubuntu1.4', 'gnutls28'),
    deb('libexpat1', '2.4.7-1ubuntu0.2', 'expat'),
    deb('less', '590-1ubuntu0.22.04.1'),
    deb('zlib1g', '1:1.2.11.dfsg-2ubuntu9.2', 'zlib'),
  ],
  suse: [
    rpm('libopenssl3', '3.1.4-150600.5.7.1', 'openssl-3'),
    rpm('glibc', '2.38-150600.12.1', 'glibc'),
    rpm('libcurl4', '8.6.0-150600.2.2', 'curl'),
    rpm('krb5', '1.20.1-150600.11.3.1', 'krb5'),
    rpm('libz1', '1.2.13-150500.4.3.1', 'zlib'),
  ],
  wolfi: [
    wolfi('ca-certificates-bundle', '20240315-r4', 'ca-certificates'),
    wolfi('libcrypto3', '3.3.0-r8', 'openssl'),
    wolfi('libssl3', '3.3.0-r8', 'openssl'),
    wolfi('libcurl-openssl4', '8.7.1-r0', 'curl'),
    wolfi('glibc', '2.39-r4'),
    wolfi('busybox', '1.36.1-r7'),
    wolfi('zlib', '1.3.1-r0'),
    wolfi('libexpat1', '2.6.2-r0', 'expat'),
  ],
}
