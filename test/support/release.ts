/** The content of an archive of `npm run release`, and of its list of parts (SBOM). */
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import manifest from '../../package.json'

export const { version } = manifest
export const nameOf = (platform: string) => `fundus-${version}-${platform}`

export interface Component {
  name: string
  version: string
  purl: string
  licenses?: { expression: string }[]
  properties: { value: string }[]
  'bom-ref': string
  /** Compiled into it. */
  components?: Pick<Component, 'name' | 'licenses'>[]
}

/** Packages below node_modules and in the list of parts, by location, name and version. */
export async function packagesOf(program: string): Promise<string[]> {
  const files = await readdir(program, { recursive: true })
  const manifests = files.filter(file =>
    /^node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^@/][^/]*\/package\.json$/.test(file),
  )
  const packages = manifests.map(async file => {
    const { name, version } = await Bun.file(join(program, file)).json()
    return `${dirname(file)} ${name}@${version}`
  })
  return (await Promise.all(packages)).sort()
}
export interface Sbom {
  serialNumber: string
  metadata: { timestamp: string; component: { 'bom-ref': string } }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

export const sbomOf = (out: string, platform: string): Promise<Sbom> =>
  Bun.file(join(out, `${nameOf(platform)}.cdx.json`)).json()
export const componentsOf = async (out: string, platform: string) => (await sbomOf(out, platform)).components
export const componentList = (components: readonly Component[]) =>
  components
    .map(({ name, version, properties }) => `${properties[0]?.value} ${name}@${version}`)
    .filter(line => line.startsWith('node_modules/'))
    .sort()
