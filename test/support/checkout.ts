/** A checkout of its own with the packages of this one, for tests of the program as a bundle. */
import { appendFile, cp, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { openFolder } from './folder.ts'

const REPOSITORY = join(import.meta.dir, '../..')
export const MARK = 'out of the bundle'

export async function openCheckout() {
  const folder = await openFolder()
  const { path } = folder
  for (const name of ['src', 'package.json'])
    await cp(join(REPOSITORY, name), join(path, name), { recursive: true })
  await symlink(join(REPOSITORY, 'node_modules'), join(path, 'node_modules'))
  return {
    path,
    bundle: () => readdir(join(path, 'dist')).catch((): string[] => []),
    async run(...args: string[]): Promise<string> {
      const child = Bun.spawn([process.execPath, ...args], { cwd: path, stdout: 'pipe', stderr: 'pipe' })
      const [output, trouble] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
      return output + trouble
    },
    make() {
      return this.run('src/program/bundle/make.ts')
    },
    /** Changes a source file, without effect. */
    change: () => appendFile(join(path, 'src/base/hash/sha256.ts'), '\n'),
    /** Makes the bundle print that it runs. */
    mark: () => appendFile(join(path, 'dist/command-line.js'), `\nconsole.log('${MARK}')\n`),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}
