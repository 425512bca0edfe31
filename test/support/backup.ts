/** Backups by address and by command, and archives inspected with ordinary tools. */
import { expect } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { dash } from './dashboard.ts'
import { onDatabase } from './data-folder.ts'
import type { Service } from './service.ts'
import { placesOnWindows } from './windows.ts'

export interface Report {
  ok: boolean
  zweit?: true
  zeit: number
  archiv: string | null
  bytes: number
  orte: number
  gesichert?: number
  plaetze?: { ort: string; bytes: number; kopiert: number }[]
  warnungen: string[]
  warnungen_codes: string[]
  fehler?: string
}

export interface State {
  laeuft: boolean
  fortschritt: { schritt: string; erledigt: number; gesamt: number | null; seit: number } | null
  letzter: Report | null
  archive: {
    name: string
    zeit: number
    bytes: number
    orte: number
    vollstaendig: boolean
    gruende: string[]
  }[]
  plaetze: { ort: string; frei: number | null; bytes: number | null }[]
  probe: { ok: boolean; archiv: string | null; dateien: number; stichprobe: number } | null
  warnungen: string[]
  warnungen_codes: string[]
}

/** Runs a backup to its end. */
export async function backUp(service: Service, session: string): Promise<Report> {
  const response = await dash(service, 'sicherung?warten=1', { method: 'POST', session })
  const text = await response.text()
  expect([response.status, text]).toEqual([200, expect.any(String)])
  return JSON.parse(text) as Report
}

export async function backupState(service: Service, session: string): Promise<State> {
  const response = await dash(service, 'sicherung', { session })
  expect(response.status).toBe(200)
  return (await response.json()) as State
}

export async function saveSettings(service: Service, session: string, values: Record<string, unknown>) {
  const json = placesOnWindows(values)
  const response = await dash(service, 'einstellungen', { method: 'PUT', json, session })
  if (response.status !== 200) throw new Error(`einstellungen: ${response.status} ${await response.text()}`)
}

export const ARCHIVE = /^fundus-\d{4}-\d\d-\d\d-\d{6}(-\d+)?\.tar$/

/** The names in a folder, hidden files included; empty if there is no such folder. */
export const namesIn = async (folder: string) => (await readdir(folder).catch(() => [])).sort()

/** The archives in a folder, without the contents beside them. */
export const archivesIn = async (folder: string) => (await namesIn(folder)).filter(name => name !== 'bestand')

/** The files of the contents that are beside the archives. */
export const contentsIn = async (folder: string) =>
  [...new Bun.Glob('bestand/[0-9a-f][0-9a-f]/*').scanSync({ cwd: folder, absolute: true })].sort()

/** Unpacks an archive with `tar`. */
export function unpack(archive: string, into: string): void {
  const { exitCode, stderr } = Bun.spawnSync(['tar', 'xf', archive, '-C', into])
  expect([exitCode, stderr.toString()]).toEqual([0, ''])
}

/** As if half a minute had passed since the holder of the lease renewed it. */
export const letTaskFall = (dataDir: string) =>
  onDatabase(dataDir, "update lease set until = 0 where task = 'backup'")
