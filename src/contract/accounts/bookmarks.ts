/** Schemas of the folders that an account has pinned, and of the filters that it has saved. */
import { z } from 'zod'
import { DASHBOARD_ROUTE } from '../paths/addresses.ts'
import { nonTopFolderInput } from '../paths/folder-input.ts'
import { BOOKMARKS_MAX, FILTER_NAME_MAX_LENGTH, FILTER_QUERY_MAX_LENGTH } from '../values/input-limits.ts'
import { maxCharacters } from '../values/text.ts'

export const BOOKMARKS_ROUTE = `${DASHBOARD_ROUTE}/merkzettel`

const TOO_MANY_MESSAGE = `darf höchstens ${BOOKMARKS_MAX} Einträge haben`

export const bookmarksInput = z.strictObject({
  ordner: z
    .array(nonTopFolderInput)
    .max(BOOKMARKS_MAX, TOO_MANY_MESSAGE)
    .refine(folders => new Set(folders).size === folders.length, 'nennt einen Ordner mehrmals'),
  filter: z
    .array(
      z.strictObject({
        name: z
          .string()
          .trim()
          .min(1, 'darf nicht leer sein')
          .max(...maxCharacters(FILTER_NAME_MAX_LENGTH)),
        abfrage: z
          .string()
          .min(1, 'darf nicht leer sein')
          .max(...maxCharacters(FILTER_QUERY_MAX_LENGTH))
          .describe('Angaben der Dateiseite, wie in ihrer Adresse hinter dem Fragezeichen'),
      }),
    )
    .max(BOOKMARKS_MAX, TOO_MANY_MESSAGE)
    .refine(
      filters => new Set(filters.map(({ name }) => name)).size === filters.length,
      'nennt einen Namen mehrmals',
    ),
})

export const bookmarksAnswer = z.object({
  ordner: z.array(z.string()),
  filter: z.array(z.object({ name: z.string(), abfrage: z.string() })),
})
export type Bookmarks = z.output<typeof bookmarksAnswer>
