/**
 * What tokens have stored, read from the database beside the running service; and checks that a refusal
 * stored nothing.
 */
import { onDatabase, storedFiles } from './data-folder.ts'
import { eventually } from './wait.ts'

export interface Usage {
  token_id: string
  files: number
  bytes: number
}

/** The running figures without zeros, because it does not matter whether a token without files has a row. */
const RUNNING =
  'select token_id, files, bytes from token_usage where files <> 0 or bytes <> 0 order by token_id'
export const runningUsage = (dataDir: string) => onDatabase<Usage>(dataDir, RUNNING)

/** The same figures, counted from the rows. */
const COUNTED = `select token_id, count(*) as files, cast(sum(size) as bigint) as bytes from media
  where token_id is not null group by token_id order by token_id`
export const countedUsage = (dataDir: string) => onDatabase<Usage>(dataDir, COUNTED)

async function rows(dataDir: string): Promise<string[]> {
  const found = await onDatabase<{ entry: string }>(dataDir, "select path || ' ' || id as entry from media")
  return found.map(({ entry }) => entry)
}

/** Previews and variants of earlier uploads may still be added: they are no leftovers. */
const isDerived = (name: string) => name.startsWith('thumbs') || /~w-[0-9a-z]{6}\.webp$/.test(name)

/**
 * The id of the content, which an object keeps in every name, as when an earlier upload's file goes to the
 * trash.
 */
const contentOf = (name: string) => /~([0-9a-z]{16})/.exec(name)?.[1]

/**
 * Runs `act` and checks that no row was added or replaced, and that neither an object nor staged bytes are
 * left. With an object store, a decoder keeps a staged file while it works.
 */
export async function storesNothing(dataDir: string, act: () => Promise<unknown>): Promise<void> {
  const filesBefore = await storedFiles(dataDir)
  const contentsBefore = new Set(filesBefore.map(contentOf))
  const rowsBefore = new Set(await rows(dataDir))
  await act()
  let added: string[] = []
  await eventually('nothing was stored', async () => {
    const files = (await storedFiles(dataDir)).filter(name => !filesBefore.includes(name))
    const ofNew = files.filter(
      name => !isDerived(name) && !(contentOf(name) && contentsBefore.has(contentOf(name))),
    )
    added = [...ofNew, ...(await rows(dataDir)).filter(entry => !rowsBefore.has(entry))]
    return added.length === 0
  }).catch(() => {
    throw new Error(`Stored all the same:\n${added.join('\n')}`)
  })
}
