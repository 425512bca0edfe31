/**
 * `GET /api/dash/statistik`: statistics of all files or of a folder; `…/statistik/datei/<pfad>`: those of one
 * file.
 */

import { lastDays } from '../../base/local-time.ts'
import { hasRole } from '../../contract/accounts/roles.ts'
import {
  fileStatisticsAnswer,
  type RetrievalCounts,
  STATISTICS_ROWS,
  type StatisticsAnswer,
  statisticsAnswer,
  statisticsQuery,
} from '../../contract/files/statistics.ts'
import { DASHBOARD_ROUTE } from '../../contract/paths/addresses.ts'
import { STATISTICS_DAYS } from '../../contract/values/input-limits.ts'
import { failure } from '../../errors/errors.ts'
import { isWholeLibrary } from '../../http/access/library-area.ts'
import { fileTarget, type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import type { FeatureParts } from '../feature.ts'
import { keyOf } from '../folders/folder-keys.ts'
import {
  directSubfolders,
  type FolderTotals,
  folderExists,
  readAreaTotals,
} from '../folders/folders.store.ts'
import { findByPath } from '../media/media.store.ts'
import { listTokens } from '../tokens/tokens.store.ts'
import { listedFileOnWire } from './listed-file.ts'
import * as store from './statistics.store.ts'

export type StatisticsParts = Pick<FeatureParts, 'database' | 'settings' | 'now'>

export function statisticsRoutes({ database, settings, now }: StatisticsParts): SessionRoute[] {
  // Adding up the days of many files is slow and must not delay other reads.
  const { slowRead: db } = database
  const shownDays = () => lastDays(now(), STATISTICS_DAYS)
  return [
    sessionRoute('GET', `${DASHBOARD_ROUTE}/statistik`, {
      role: 'ansicht',
      targets: ({ query }) => ({ baseFolder: query.ordner }),
      summary: 'Abrufe und Speicher der letzten 90 Tage, von allem oder von einem Ordner',
      query: statisticsQuery,
      answer: statisticsAnswer,
      async handle({ query: { ordner } }, { area, account }) {
        const folderKey = keyOf(ordner)
        if (ordner !== '' && !(await folderExists(db, ordner))) throw failure.folderAbsent()
        const tage = shownDays()
        const firstDay = tage[0]!
        const coversWholeLibrary = isWholeLibrary(area)
        const areaTotals = await readAreaTotals(db, area)
        const countsByDay = await store.dailyRetrievalsIn(db, area, firstDay)
        const retrievalCounts = await store.retrievalsByFolderAndToken(
          db,
          database.queryTraits,
          area,
          firstDay,
        )
        const { PUBLIC_URL } = settings.current()
        const filesOnWire = (files: store.ListedFile[]) =>
          files.map(file => listedFileOnWire(file, PUBLIC_URL))
        return {
          ordner,
          dateien: areaTotals.files,
          bytes: areaTotals.bytes,
          abrufe: retrievalsByDay(tage, countsByDay),
          speicher: coversWholeLibrary
            ? storageByDay(tage, await store.usageSince(db, firstDay), areaTotals)
            : null,
          unterordner: foldersOnWire(
            folderKey,
            (await directSubfolders(database, area)).folders,
            retrievalCounts,
          ),
          groesste: filesOnWire(await store.largestFiles(db, area, STATISTICS_ROWS)),
          lange_nicht_abgerufen: filesOnWire(await store.stalestFiles(db, area, STATISTICS_ROWS)),
          // Tokens are shown to operators only, and not for a single folder.
          tokens:
            coversWholeLibrary && hasRole(account.role, 'betreiber')
              ? tokensOnWire(await listTokens(db), retrievalCounts, areaTotals)
              : null,
        }
      },
    }),
    sessionRoute('GET', `${DASHBOARD_ROUTE}/statistik/datei/:pfad{.+}`, {
      role: 'ansicht',
      targets: fileTarget,
      summary: 'Abrufe einer Datei an jedem der letzten 90 Tage, auch unter ihren früheren Namen',
      answer: fileStatisticsAnswer,
      async handle({ param }) {
        const file = await findByPath(database.read, param('pfad'))
        if (!file) throw failure.fileAbsent()
        const tage = shownDays()
        return retrievalsByDay(tage, await store.dailyRetrievalsOfFile(database.read, file.nr, tage[0]!))
      },
    }),
  ]
}

function retrievalsByDay(days: readonly string[], countsByDay: ReadonlyMap<string, number>): RetrievalCounts {
  const tage = days.map(tag => ({ tag, abrufe: countsByDay.get(tag) ?? 0 }))
  return { gesamt: tage.reduce((sum, { abrufe }) => sum + abrufe, 0), tage }
}

/**
 * How much was stored at the end of each day, in the time zone of the service: the figures recorded at the
 * start of the next day, or for today the current ones. If nothing was recorded on the next day, the next
 * later figures are used. Null for days that ended before the first record.
 */
function storageByDay(
  days: readonly string[],
  usageAtStart: ReadonlyMap<string, FolderTotals>,
  currentUsage: FolderTotals,
): StatisticsAnswer['speicher'] {
  const firstDay = [...usageAtStart.keys()].sort()[0]
  let usageAtEnd: FolderTotals = currentUsage
  return days
    .toReversed()
    .map((tag, daysAgo) => {
      const nextDay = days[days.length - daysAgo]
      if (nextDay !== undefined) usageAtEnd = usageAtStart.get(nextDay) ?? usageAtEnd
      const isRecorded = nextDay === undefined || (firstDay !== undefined && nextDay >= firstDay)
      return {
        tag,
        dateien: isRecorded ? usageAtEnd.files : null,
        bytes: isRecorded ? usageAtEnd.bytes : null,
      }
    })
    .toReversed()
}

function foldersOnWire(
  folderKey: string,
  subfolders: readonly ({ name: string } & FolderTotals)[],
  retrievalCounts: readonly store.RetrievalCount[],
): StatisticsAnswer['unterordner'] {
  const countsByName = new Map<string, number>()
  for (const { name, retrievals } of retrievalCounts)
    countsByName.set(name, (countsByName.get(name) ?? 0) + retrievals)
  return subfolders
    .map(({ name, files, bytes }) => ({
      name,
      pfad: folderKey + name,
      dateien: files,
      bytes,
      abrufe: countsByName.get(name) ?? 0,
    }))
    .sort((a, b) => b.abrufe - a.abrufe || b.bytes - a.bytes)
    .slice(0, STATISTICS_ROWS)
}

/**
 * The files and retrievals of the most used tokens. The last entry, without a name, is for the files that
 * were stored without a token, or with one that no longer exists; it is left out if there are none.
 */
function tokensOnWire(
  tokens: Awaited<ReturnType<typeof listTokens>>,
  retrievalCounts: readonly store.RetrievalCount[],
  total: FolderTotals,
): StatisticsAnswer['tokens'] {
  const sumRetrievals = (matches: (id: string | null) => boolean) =>
    retrievalCounts.reduce((sum, { token_id, retrievals }) => (matches(token_id) ? sum + retrievals : sum), 0)
  const tokenIds = new Set(tokens.map(({ id }) => id))
  const listedTokens = tokens
    .filter(({ files }) => files > 0)
    .map(({ id, name, files, bytes }) => ({
      id,
      name,
      dateien: files,
      bytes,
      abrufe: sumRetrievals(tokenId => tokenId === id),
    }))
    .sort((a, b) => b.abrufe - a.abrufe || b.bytes - a.bytes)
    .slice(0, STATISTICS_ROWS)
  const sumOf = (field: 'files' | 'bytes') => tokens.reduce((sum, token) => sum + Number(token[field]), 0)
  const tokenlessEntry = {
    id: null,
    name: null,
    dateien: total.files - sumOf('files'),
    bytes: total.bytes - sumOf('bytes'),
    abrufe: sumRetrievals(id => id === null || !tokenIds.has(id)),
  }
  return tokenlessEntry.dateien > 0 ? [...listedTokens, tokenlessEntry] : listedTokens
}
