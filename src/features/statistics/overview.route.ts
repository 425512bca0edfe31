/** `GET /api/dash/uebersicht`: all figures of the dashboard's first page in one answer. */

import { lastDays } from '../../base/local-time.ts'
import { hasRole } from '../../contract/accounts/roles.ts'
import {
  OVERVIEW_DAYS,
  OVERVIEW_FILES,
  type OverviewAnswer,
  overviewAnswer,
} from '../../contract/files/overview.ts'
import { DASHBOARD_ROUTE } from '../../contract/paths/addresses.ts'
import { KINDS } from '../../contract/paths/kinds.ts'
import type { Database } from '../../database/database.ts'
import type { Area } from '../../http/access/library-area.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import type { DiskSpace } from '../../storage/local/space.ts'
import type { FeatureParts } from '../feature.ts'
import { listedFileOnWire } from './listed-file.ts'
import * as store from './overview.store.ts'
import { dailyRetrievalsIn } from './statistics.store.ts'

export interface OverviewParts extends Pick<FeatureParts, 'database' | 'now' | 'settings'> {
  space: () => Promise<DiskSpace | null>
  /** The report on the last backup, as `GET /api/dash/sicherung` returns it. */
  lastBackup: () => Promise<OverviewAnswer['sicherung']>
  /** The integrity summary, with at most `limit` findings. */
  integrity: (limit: number) => Promise<NonNullable<OverviewAnswer['integritaet']>>
}

const DAYS_PER_WEEK = 7

export function overviewRoute(parts: OverviewParts): SessionRoute {
  const { settings, space, lastBackup, integrity } = parts
  // Reads through `slowRead`, so that adding up the figures of many folders does not delay other reads.
  const db = parts.database.slowRead

  return sessionRoute('GET', `${DASHBOARD_ROUTE}/uebersicht`, {
    role: 'ansicht',
    targets: 'nothing',
    summary: 'Die Zahlen der Startseite',
    answer: overviewAnswer,
    async handle(_, { area, account }) {
      const { PUBLIC_URL } = settings.current()
      const filesOnWire = (files: store.ListedFile[]) => files.map(file => listedFileOnWire(file, PUBLIC_URL))
      // Disk, backup and integrity are shown to operators only.
      const isOperator = hasRole(account.role, 'betreiber')
      const diskSpace = isOperator ? await space() : null
      return {
        ...totalsOf(await store.usageByKind(db, area)),
        abrufe: await retrievalChart(db, area, parts.now()),
        neueste: filesOnWire(await store.newestFiles(db, area, OVERVIEW_FILES)),
        meist_abgerufen: filesOnWire(await store.mostRetrievedFiles(db, area, OVERVIEW_FILES)),
        nie_abgerufen: {
          anzahl: await store.countNeverRetrieved(db, area),
          dateien: filesOnWire(await store.neverRetrievedFiles(db, area, OVERVIEW_FILES)),
        },
        platz: diskSpace && { frei: diskSpace.free, gesamt: diskSpace.total },
        sicherung: isOperator ? await lastBackup() : null,
        integritaet: isOperator ? await integrity(OVERVIEW_FILES) : null,
      }
    },
  })
}

function totalsOf(usage: Awaited<ReturnType<typeof store.usageByKind>>) {
  const arten = KINDS.map(art => {
    const { files = 0, bytes = 0 } = usage.get(art) ?? {}
    return { art, dateien: files, bytes }
  })
  return {
    dateien: arten.reduce((sum, { dateien }) => sum + dateien, 0),
    bytes: arten.reduce((sum, { bytes }) => sum + bytes, 0),
    arten,
  }
}

async function retrievalChart(
  db: Database['read'],
  area: Area,
  now: number,
): Promise<OverviewAnswer['abrufe']> {
  const days = lastDays(now, OVERVIEW_DAYS)
  const countsByDay = await dailyRetrievalsIn(db, area, days[0]!)
  const tage = days.map(tag => ({ tag, abrufe: countsByDay.get(tag) ?? 0 }))
  return { letzte_7_tage: tage.slice(-DAYS_PER_WEEK).reduce((sum, { abrufe }) => sum + abrufe, 0), tage }
}
