/**
 * What an archive is made of, for programs that look for known weaknesses: CycloneDX 1.6 as JSON. No time, so that it
 * is reproducible.
 */
import type { Package } from './packages.ts'

export interface Parts {
  version: string
  /** The package that brings the runtime. */
  runtime: Package
  /** Below node_modules of the archive. */
  installed: readonly Package[]
  /** Compiled into the pages of the dashboard. */
  bundled: readonly Package[]
}

export function sbomOf({ version, runtime, installed, bundled }: Parts): string {
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': 'fundus', name: 'fundus', version, ...licence('MIT') },
    },
    components: [
      component(runtime, 'platform', 'runtime'),
      ...installed.map(each => component(each, 'library', each.path)),
      ...bundled.map(each => component(each, 'library', 'dashboard/dist')),
    ],
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

const component = ({ name, version, license, integrity }: Package, type: string, place: string) => ({
  type,
  'bom-ref': `${place} ${name}@${version}`,
  name,
  version,
  ...(license && licence(license)),
  hashes: [
    { alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') },
  ],
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  properties: [{ name: 'fundus:place', value: place }],
})

const licence = (expression: string) => ({ licenses: [{ expression }] })
