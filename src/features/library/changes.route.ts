/** Routes that change files and folders: `POST /api/dash/media/…` and `POST /api/dash/folders/…`. */
import type { SignedIn } from '../../access/callers.ts'
import { ACTION_HEADER } from '../../contract/action-header.ts'
import { fileAddress } from '../../contract/addresses.ts'
import {
  deleteFilesAnswer,
  deleteFilesInput,
  deleteFolderAnswer,
  deleteFolderInput,
  folderAnswer,
  moveFilesAnswer,
  moveFilesInput,
  moveFolderInput,
  PATHS_BODY_LIMIT,
  renameFileAnswer,
  renameFileInput,
  renameFolderInput,
  replaceAnswer,
  replaceInput,
  takeBackAnswer,
  takeBackInput,
} from '../../contract/library.ts'
import { DASHBOARD_ROUTE } from '../../contract/session.ts'
import { type Route, route } from '../../http/routes.ts'
import type { Settings } from '../settings/settings.ts'
import { createFiles, type FilesParts, type Refusal } from './files.ts'
import { createFolders, type FolderOutcome } from './folders.ts'
import { conflictOnWire, createReplace, hitOnWire } from './replace.ts'
import { createTakeBack } from './take-back.ts'

const FILES = `${DASHBOARD_ROUTE}/media`
const FOLDERS = `${DASHBOARD_ROUTE}/folders`

export function changeRoutes(parts: FilesParts & { settings: Settings }): Route<SignedIn>[] {
  return [...fileRoutes(parts), replaceRoute(parts), ...folderRoutes(parts), takeBackRoute(parts)]
}

function fileRoutes({ settings, ...parts }: FilesParts & { settings: Settings }): Route<SignedIn>[] {
  const files = createFiles(parts)
  return [
    route('POST', `${FILES}/umbenennen`, {
      summary: 'Gibt einer Datei einen anderen Namen; ihre Adresse ändert sich',
      body: renameFileInput,
      answer: renameFileAnswer,
      async handle({ body: { pfad, name } }, { actor }: SignedIn) {
        const { to, retrievals } = await files.rename(pfad, name, actor)
        return {
          alt: pfad,
          path: to,
          url: fileAddress(settings.current().PUBLIC_URL, to),
          abrufe: retrievals,
        }
      },
    }),
    route('POST', `${FILES}/verschieben`, {
      summary: 'Verschiebt Dateien in einen Ordner',
      body: moveFilesInput,
      bodyLimit: PATHS_BODY_LIMIT,
      answer: moveFilesAnswer,
      async handle({ body: { pfade, ordner }, answerHeaders }, { actor }: SignedIn) {
        const { moved, refused, action } = await files.move(pfade, ordner, actor)
        answerHeaders.set(ACTION_HEADER, action)
        const verschoben = moved.map(({ file, to }) => ({ von: file.path, nach: to }))
        return { verschoben, abgelehnt: refused.map(refusalOnWire) }
      },
    }),
    route('POST', `${FILES}/loeschen`, {
      summary: 'Legt Dateien in den Papierkorb',
      body: deleteFilesInput,
      bodyLimit: PATHS_BODY_LIMIT,
      answer: deleteFilesAnswer,
      async handle({ body: { pfade } }, { actor }: SignedIn) {
        const { removed, numbers, refused } = await files.remove(pfade, actor)
        return { geloescht: removed, nummern: numbers, abgelehnt: refused.map(refusalOnWire) }
      },
    }),
  ]
}

function replaceRoute(parts: FilesParts): Route<SignedIn> {
  const replace = createReplace(parts)
  return route('POST', `${FILES}/ersetzen`, {
    summary: 'Suchen und Ersetzen über Pfade; ohne ausfuehren: true wird nur gerechnet und gezeigt',
    body: replaceInput,
    bodyLimit: PATHS_BODY_LIMIT,
    answer: replaceAnswer,
    async handle({ body, answerHeaders }, { actor }: SignedIn) {
      const { suche, ersatz, ordner, pfade, regex, ausfuehren } = body
      const task = {
        search: suche,
        by: ersatz,
        folder: ordner,
        paths: pfade,
        expression: regex,
        execute: ausfuehren,
      }
      const { hits, conflicts, action } = await replace(task, actor)
      if (action !== null) answerHeaders.set(ACTION_HEADER, action)
      return {
        treffer: hits.map(hitOnWire),
        konflikte: conflicts.map(conflictOnWire),
        ausgefuehrt: action !== null,
      }
    },
  })
}

function folderRoutes(parts: FilesParts): Route<SignedIn>[] {
  const folders = createFolders(parts)
  const onWire = ({ files, folder, action }: FolderOutcome, headers: Headers) => {
    headers.set(ACTION_HEADER, action)
    return { dateien: files, ordner: folder }
  }
  return [
    route('POST', `${FOLDERS}/umbenennen`, {
      summary: 'Gibt einem Ordner einen anderen Namen; die Adressen aller Dateien darin ändern sich',
      body: renameFolderInput,
      answer: folderAnswer,
      handle: async ({ body: { ordner, name }, answerHeaders }, { actor }: SignedIn) =>
        onWire(await folders.rename(ordner, name, actor), answerHeaders),
    }),
    route('POST', `${FOLDERS}/verschieben`, {
      summary: 'Verschiebt einen Ordner in einen anderen; gibt es ihn dort schon, werden beide vereint',
      body: moveFolderInput,
      answer: folderAnswer,
      handle: async ({ body: { ordner, ziel }, answerHeaders }, { actor }: SignedIn) =>
        onWire(await folders.move(ordner, ziel, actor), answerHeaders),
    }),
    route('POST', `${FOLDERS}/loeschen`, {
      summary: 'Legt alle Dateien eines Ordners in den Papierkorb',
      body: deleteFolderInput,
      answer: deleteFolderAnswer,
      async handle({ body: { ordner }, answerHeaders }, { actor }: SignedIn) {
        const { numbers, ...outcome } = await folders.remove(ordner, actor)
        return { ...onWire(outcome, answerHeaders), nummern: numbers }
      },
    }),
  ]
}

function takeBackRoute(parts: FilesParts): Route<SignedIn> {
  const takeBack = createTakeBack(parts)
  return route('POST', `${DASHBOARD_ROUTE}/verlauf/zuruecknehmen`, {
    summary: 'Gibt den Dateien, die eine Aktion umbenannt oder verschoben hat, ihre früheren Pfade zurück',
    body: takeBackInput,
    answer: takeBackAnswer,
    async handle({ body: { aktion }, answerHeaders }, { actor }: SignedIn) {
      const { files, refused, action } = await takeBack(aktion, actor)
      if (action !== null) answerHeaders.set(ACTION_HEADER, action)
      return { zurueckgenommen: files, abgelehnt: refused.map(refusalOnWire) }
    },
  })
}

const refusalOnWire = ({ path, why }: Refusal) => ({
  pfad: path,
  grund: why.sentence,
  code: why.code,
})
