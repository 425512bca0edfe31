import { describe, expect, test } from 'bun:test'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { useFolder } from '../../../test/support/folder.ts'
import { newId } from '../../base/ids.ts'
import { INSTANCE_FOLDERS } from './file.ts'
import { finishSwap, markReplacementComplete, replacementFolderOf } from './swap.ts'

const root = await useFolder()
let made = 0
const newFolder = () => join(root, `data-${++made}`)

describe('taking the place', () => {
  const MARK = 'mark'
  const write = async (folder: string, content: string) => {
    for (const name of INSTANCE_FOLDERS) {
      await mkdir(join(folder, name), { recursive: true })
      await writeFile(join(folder, name, MARK), content)
    }
    await writeFile(join(folder, 'fundus.db'), content)
  }
  const contents = (folder: string) =>
    Promise.all(
      ['fundus.db', ...INSTANCE_FOLDERS.map(name => `${name}/${MARK}`)].map(name =>
        readFile(join(folder, name), 'utf8'),
      ),
    )
  const all = (content: string) => Array.from({ length: 1 + INSTANCE_FOLDERS.length }, () => content)

  test('a crash after any of its steps is made good by the next one who comes', async () => {
    // How far the first attempt came: the number of moves, in order.
    for (let steps = 0; steps <= 3 + 2 * INSTANCE_FOLDERS.length; steps++) {
      const dataDir = newFolder()
      await write(dataDir, 'old')
      await writeFile(join(dataDir, 'fundus.db-wal'), 'old')
      await writeFile(join(dataDir, 'foreign'), 'x')
      const replacementFolder = replacementFolderOf(dataDir, 'instance', newId())
      await write(replacementFolder, 'new')
      await markReplacementComplete(dataDir, 'instance', replacementFolder)
      const complete = join(dataDir, '.wiederherstellung')
      const earlier = join(dataDir, 'vorher-crashed')
      await mkdir(earlier)
      const moves = [...INSTANCE_FOLDERS, 'fundus.db-wal', 'fundus.db'].flatMap(name => [
        () => rename(join(dataDir, name), join(earlier, name)),
        ...(name.endsWith('-wal') ? [] : [() => rename(join(complete, name), join(dataDir, name))]),
      ])
      for (const move of moves.slice(0, steps)) await move()
      await finishSwap(dataDir, 5000)
      expect([steps, await contents(dataDir)]).toEqual([steps, all('new')])
      const names = await readdir(dataDir)
      expect(names).not.toContain('fundus.db-wal')
      expect(names).not.toContain('.wiederherstellung')
      expect(names).toContain('foreign')
      await rm(dataDir, { recursive: true })
    }
  })

  test('of a database alone: the old one is kept beside it with its side files, and no folder is touched', async () => {
    for (const steps of [0, 1, 2, 3]) {
      const dataDir = newFolder()
      await write(dataDir, 'old')
      await writeFile(join(dataDir, 'fundus.db-wal'), 'old')
      const replacementFolder = replacementFolderOf(dataDir, 'database', newId())
      await mkdir(replacementFolder)
      await writeFile(join(replacementFolder, 'fundus.db'), 'new')
      await markReplacementComplete(dataDir, 'database', replacementFolder)
      const at = (name: string) => join(dataDir, name)
      const moves = [
        () => rename(at('fundus.db-wal'), at('fundus.db.beiseite-crashed-wal')),
        () => rename(at('fundus.db'), at('fundus.db.beiseite-crashed')),
        () => rename(at('.wiederaufbau/fundus.db'), at('fundus.db')),
      ]
      for (const move of moves.slice(0, steps)) await move()
      const kept = await finishSwap(dataDir, 5000)
      expect([steps, await contents(dataDir)]).toEqual([steps, ['new', ...all('old').slice(1)]])
      const names = await readdir(dataDir)
      expect(names.filter(name => name.includes('beiseite'))).toHaveLength(2)
      expect(names).not.toContain('.wiederaufbau')
      if (steps === 0) expect(await Bun.file(`${kept}-wal`).text()).toBe('old')
    }
  })

  test('before everything was there, the old state stays', async () => {
    const dataDir = newFolder()
    await write(dataDir, 'old')
    await write(replacementFolderOf(dataDir, 'instance', newId()), 'new')
    expect(await finishSwap(dataDir, 0)).toBeNull()
    expect(await contents(dataDir)).toEqual(all('old'))
  })
})
