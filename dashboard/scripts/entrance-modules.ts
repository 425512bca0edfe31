/**
 * Prints what the pages for signing in consist of, as JSON, as a build of them alone tells: of packages what is
 * left after tree shaking, because their index names all they have; of our own files all that are imported. A
 * process of its own, so that the memory of this build is free again before the other one begins.
 */
import { build, type Plugin } from 'vite'
import { buildOptions, common, ENTRANCE } from '../vite.config.ts'

const modules = new Set<string>()
const gather: Plugin = {
  name: 'gather-modules',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter(part => part.type === 'chunk')
    const late = new Set(chunks.flatMap(({ isEntry, modules }) => (isEntry ? [] : Object.keys(modules))))
    const own = [...this.getModuleIds()].filter(id => !id.includes('node_modules') && !late.has(id))
    const used = chunks.flatMap(({ isEntry, modules }) => (isEntry ? Object.keys(modules) : []))
    for (const id of [...own, ...used]) modules.add(id)
  },
}
await build({
  ...common,
  plugins: [...common.plugins, gather],
  configFile: false,
  logLevel: 'silent',
  build: { ...buildOptions, write: false, rolldownOptions: { input: ENTRANCE } },
})
console.log(JSON.stringify([...modules]))
