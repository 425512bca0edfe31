/**
 * Prints the modules of the sign-in pages as a JSON list, found by building these pages alone. A module of a
 * package is listed only if it remains after tree shaking: the index of a package imports the whole package.
 * A file of our own is listed if it is imported statically. This script runs as a process of its own, so that
 * the memory of its build is free again before the main build begins.
 */
import { build, type Plugin } from 'vite'
import { buildOptions, common, ENTRANCE } from '../vite.config.ts'

const modules = new Set<string>()
const moduleCollector: Plugin = {
  name: 'gather-modules',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter(part => part.type === 'chunk')
    const lazyModules = new Set(
      chunks.flatMap(({ isEntry, modules }) => (isEntry ? [] : Object.keys(modules))),
    )
    const ownModules = [...this.getModuleIds()].filter(
      id => !id.includes('node_modules') && !lazyModules.has(id),
    )
    const entryModules = chunks.flatMap(({ isEntry, modules }) => (isEntry ? Object.keys(modules) : []))
    for (const id of [...ownModules, ...entryModules]) modules.add(id)
  },
}
await build({
  ...common,
  plugins: [...common.plugins, moduleCollector],
  configFile: false,
  logLevel: 'silent',
  build: { ...buildOptions, write: false, rolldownOptions: { input: ENTRANCE } },
})
console.log(JSON.stringify([...modules]))
