/** Reads an archive with a real unzip. */
import { expect } from 'bun:test'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openFolder } from './folder.ts'
import { toolOrFail } from './tools.ts'

/** The files of an archive by name, as unzip writes them out after it has checked every checksum. */
export async function unzipped(response: Response): Promise<Record<string, Uint8Array>> {
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  await using room = await openFolder()
  const file = join(room.path, 'download.zip')
  await writeFile(file, new Uint8Array(await response.arrayBuffer()))
  const program = toolOrFail('unzip')
  const tested = Bun.spawnSync([program, '-tq', file])
  expect([tested.exitCode, tested.stdout.toString()]).toEqual([
    0,
    expect.stringContaining('No errors detected'),
  ])
  const into = join(room.path, 'out')
  expect(Bun.spawnSync([program, '-q', file, '-d', into]).exitCode).toBe(0)
  const names = await readdir(into, { recursive: true })
  const found: Record<string, Uint8Array> = {}
  for (const name of names.sort()) {
    const path = join(into, name)
    if ((await stat(path)).isFile()) found[name] = await Bun.file(path).bytes()
  }
  return found
}
