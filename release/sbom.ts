/**
 * What an archive is made of, for programs that look for known weaknesses: CycloneDX 1.6 as JSON. The time is
 * that of the commit and the serial number follows from the content, so that the list is reproducible.
 */
import type { NativePart } from './native-parts.ts'
import type { Package } from './packages.ts'

export interface Parts {
  version: string
  /** When the sources were committed, ISO 8601. */
  committedAt: string
  /** The package that brings the runtime. */
  runtime: Package
  runtimeParts: readonly NativePart[]
  /** Below node_modules of the archive. */
  installed: readonly Package[]
  /** The package among `installed` that brings the image library. */
  library: Package
  libraryParts: readonly NativePart[]
  /** Compiled into the pages of the dashboard. */
  bundled: readonly Package[]
}

const APPLICATION = 'fundus'
const DASHBOARD = 'dashboard/dist'

export function sbomOf(parts: Parts): string {
  const { version, committedAt, runtime, runtimeParts, installed, library, libraryParts, bundled } = parts
  const components = [
    { ...component(runtime, 'platform', 'runtime'), components: nativeComponents('runtime', runtimeParts) },
    ...installed.map(each => ({
      ...component(each, 'library', each.path),
      ...(each === library && { components: nativeComponents(each.path, libraryParts) }),
    })),
    ...bundled.map(each => component(each, 'library', DASHBOARD)),
  ]
  const dependencies = [
    {
      ref: APPLICATION,
      dependsOn: [reference('runtime', runtime), ...direct(installed), ...bundled.map(inDashboard)],
    },
    ...graph(installed, each => reference(each.path, each)),
    ...graph(bundled, inDashboard),
  ]
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify({ components, dependencies }))}`,
    version: 1,
    metadata: {
      timestamp: committedAt,
      component: {
        type: 'application',
        'bom-ref': APPLICATION,
        name: APPLICATION,
        version,
        ...licence('MIT'),
      },
    },
    components,
    dependencies,
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

const reference = (place: string, { name, version }: Pick<Package, 'name' | 'version'>) =>
  `${place} ${name}@${version}`
const inDashboard = (each: Package) => reference(DASHBOARD, each)

const component = (given: Package, type: string, place: string) => {
  const { name, version, license, integrity } = given
  return {
    type,
    'bom-ref': reference(place, given),
    name,
    version,
    ...(license && licence(license)),
    hashes: [
      { alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') },
    ],
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    properties: [{ name: 'fundus:place', value: place }],
  }
}

const nativeComponents = (place: string, parts: readonly NativePart[]) =>
  parts.map(({ name, version, license, source }) => ({
    type: 'library',
    'bom-ref': `${place} ${name}${version ? `@${version}` : ''}`,
    name,
    ...(version && { version }),
    ...licence(license),
    externalReferences: [{ type: 'vcs', url: source }],
  }))

/** Packages that no other package of the archive needs, so that Fundus itself uses them. */
function direct(installed: readonly Package[]): string[] {
  const needed = new Set(installed.flatMap(({ needs }) => needs))
  return installed.filter(({ path }) => !needed.has(path)).map(each => reference(each.path, each))
}

/** `needs` also names packages of other platforms, which are not in the archive. */
function graph(packages: readonly Package[], refOf: (each: Package) => string) {
  const known = new Map(packages.map(each => [each.path, refOf(each)]))
  return packages.map(each => ({
    ref: refOf(each),
    dependsOn: each.needs.flatMap(path => known.get(path) ?? []).sort(),
  }))
}

/** A UUID of version 8 (RFC 9562 §5.8) out of the beginning of the SHA-256. */
function uuidOf(text: string): string {
  const hex = new Bun.CryptoHasher('sha256').update(text).digest('hex')
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

const licence = (expression: string) => ({ licenses: [{ expression }] })
