/**
 * Routes that change files and folders (`POST /api/dash/media/…` and `POST /api/dash/folders/…`), and the one
 * that undoes a change.
 */
import { z } from 'zod'
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
  type UndoAnswer,
  undoAnswer,
  undoInput,
} from '../../../contract/files/library.ts'
import { DASHBOARD_ROUTE, fileAddress } from '../../../contract/paths/addresses.ts'
import { ACTION_HEADER } from '../../../contract/upload/headers.ts'
import type { RenderError } from '../../../http/answers/render-error.ts'
import {
  acceptsNdjson,
  NDJSON,
  ndjsonAnswer,
  reportedSteps,
  steppedAnswer,
} from '../../../http/answers/stepped-answer.ts'
import { type SessionRoute, sessionRoute } from '../../../http/route-rights.ts'
import type { Settings } from '../../settings/settings.ts'
import {
  createFileChanges,
  type DeletionResult,
  type FileChangeParts,
  type MoveResult,
  type Refusal,
} from './change-files.ts'
import { createFolderChanges, type FolderChangeResult } from './change-folders.ts'
import { createResultChanges } from './change-list-result.ts'
import { targetsOfChoice } from './chosen-files.ts'
import { createResultFinder } from './list-result.ts'
import { conflictOnWire, createReplace, hitOnWire } from './replace.ts'
import { createUndoAction } from './undo-action.ts'
import type { UndoDeletionParts } from './undo-deletion.ts'

/** Additional answer type of the routes that can answer in steps: move files, delete files, undo. */
const NDJSON_ANSWER_TYPE = { [NDJSON]: z.string() }
const NDJSON_SUMMARY = `mit „Accept: ${NDJSON}“ und „treffer“ kommt die Antwort in Teilen, eine Zeile JSON je Schritt`
const FILES_ROUTE = `${DASHBOARD_ROUTE}/media`
const FOLDERS_ROUTE = `${DASHBOARD_ROUTE}/folders`

type ChangeParts = FileChangeParts & UndoDeletionParts & { settings: Settings; renderError: RenderError }

export function changeRoutes(parts: ChangeParts): SessionRoute[] {
  return [...fileRoutes(parts), replaceRoute(parts), ...folderRoutes(parts), undoRoute(parts)]
}

function fileRoutes({ settings, renderError, ...parts }: ChangeParts): SessionRoute[] {
  const files = createFileChanges(parts)
  const resultFinder = createResultFinder(parts)
  const resultChanges = createResultChanges(parts)
  return [
    sessionRoute('POST', `${FILES_ROUTE}/umbenennen`, {
      role: 'redaktion',
      targets: ({ body }) => ({ paths: [body.pfad] }),
      summary: 'Gibt einer Datei einen anderen Namen; ihre Adresse ändert sich',
      body: renameFileInput,
      answer: renameFileAnswer,
      async handle({ body: { pfad, name } }, { actor }) {
        const { to, retrievals } = await files.rename(pfad, name, actor)
        return {
          alt: pfad,
          path: to,
          url: fileAddress(settings.current().PUBLIC_URL, to),
          abrufe: retrievals,
        }
      },
    }),
    sessionRoute('POST', `${FILES_ROUTE}/verschieben`, {
      role: 'redaktion',
      targets: ({ body }) => ({ ...targetsOfChoice(body), otherFolder: body.ordner }),
      summary: `Verschiebt Dateien in einen Ordner; ${NDJSON_SUMMARY}`,
      body: moveFilesInput,
      bodyLimit: PATHS_BODY_LIMIT,
      answer: moveFilesAnswer,
      answerTypes: NDJSON_ANSWER_TYPE,
      async handle({ body: { pfade = [], treffer, ordner }, request, answerHeaders }, { actor, area }) {
        if (!treffer) {
          const { action, ...outcome } = await files.move(pfade, ordner, actor)
          answerHeaders.set(ACTION_HEADER, action)
          return moveResultOnWire(outcome)
        }
        const actionId = parts.newId()
        answerHeaders.set(ACTION_HEADER, actionId)
        const result = await resultFinder.findCounted(treffer, area)
        const steps = mapSteps(resultChanges.move(result, ordner, { actor, actionId }), moveResultOnWire)
        return steppedAnswer(
          request,
          steps,
          { verschoben: [], abgelehnt: [] },
          { renderError, answerHeaders },
        )
      },
    }),
    sessionRoute('POST', `${FILES_ROUTE}/loeschen`, {
      role: 'redaktion',
      targets: ({ body }) => targetsOfChoice(body),
      summary: `Legt Dateien in den Papierkorb; ${NDJSON_SUMMARY}`,
      body: deleteFilesInput,
      bodyLimit: PATHS_BODY_LIMIT,
      answer: deleteFilesAnswer,
      answerTypes: NDJSON_ANSWER_TYPE,
      async handle({ body: { pfade = [], treffer }, request, answerHeaders }, { actor, area }) {
        if (!treffer) return deletionResultOnWire(await files.remove(pfade, actor))
        const result = await resultFinder.findCounted(treffer, area)
        const steps = mapSteps(
          resultChanges.remove(result, { actor, actionId: parts.newId() }),
          deletionResultOnWire,
        )
        const emptyAnswer = { geloescht: [], nummern: [], abgelehnt: [] }
        return steppedAnswer(request, steps, emptyAnswer, { renderError, answerHeaders })
      },
    }),
  ]
}

function replaceRoute(parts: FileChangeParts): SessionRoute {
  const replace = createReplace(parts)
  const resultFinder = createResultFinder(parts)
  return sessionRoute('POST', `${FILES_ROUTE}/ersetzen`, {
    role: 'redaktion',
    targets: ({ body }) => ({
      baseFolder: body.ordner,
      ...targetsOfChoice(body),
      ...(body.ordner !== '' && { otherFolder: body.ordner }),
    }),
    summary: 'Suchen und Ersetzen über Pfade; ohne ausfuehren: true wird nur gerechnet und gezeigt',
    body: replaceInput,
    bodyLimit: PATHS_BODY_LIMIT,
    answer: replaceAnswer,
    async handle({ body, answerHeaders }, { actor, area, allowedArea: accountArea }) {
      const { suche, ersatz, pfade, treffer, regex, ausfuehren } = body
      const task = {
        search: suche,
        replacement: ersatz,
        area,
        accountArea,
        paths: pfade,
        result: treffer && (await resultFinder.findCounted(treffer, area)),
        isExpression: regex,
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

function folderRoutes(parts: FileChangeParts): SessionRoute[] {
  const folders = createFolderChanges(parts)
  const onWire = ({ files, folder, action }: FolderChangeResult, headers: Headers) => {
    headers.set(ACTION_HEADER, action)
    return { dateien: files, ordner: folder }
  }
  return [
    sessionRoute('POST', `${FOLDERS_ROUTE}/umbenennen`, {
      role: 'redaktion',
      targets: ({ body }) => ({ paths: [body.ordner] }),
      summary: 'Gibt einem Ordner einen anderen Namen; die Adressen aller Dateien darin ändern sich',
      body: renameFolderInput,
      answer: folderAnswer,
      handle: async ({ body: { ordner, name }, answerHeaders }, { actor }) =>
        onWire(await folders.rename(ordner, name, actor), answerHeaders),
    }),
    sessionRoute('POST', `${FOLDERS_ROUTE}/verschieben`, {
      role: 'redaktion',
      targets: ({ body }) => ({ paths: [body.ordner], otherFolder: body.ziel }),
      summary: 'Verschiebt einen Ordner in einen anderen; gibt es ihn dort schon, werden beide vereint',
      body: moveFolderInput,
      answer: folderAnswer,
      handle: async ({ body: { ordner, ziel }, answerHeaders }, { actor }) =>
        onWire(await folders.move(ordner, ziel, actor), answerHeaders),
    }),
    sessionRoute('POST', `${FOLDERS_ROUTE}/loeschen`, {
      role: 'redaktion',
      targets: ({ body }) => ({ baseFolder: body.ordner }),
      summary: 'Legt alle Dateien eines Ordners in den Papierkorb',
      body: deleteFolderInput,
      answer: deleteFolderAnswer,
      async handle({ body: { ordner }, answerHeaders }, { actor }) {
        const { trashNumbers, ...outcome } = await folders.remove(ordner, actor)
        return { ...onWire(outcome, answerHeaders), nummern: trashNumbers }
      },
    }),
  ]
}

function undoRoute({ renderError, ...parts }: ChangeParts): SessionRoute {
  const undoAction = createUndoAction(parts)
  return sessionRoute('POST', `${DASHBOARD_ROUTE}/verlauf/zuruecknehmen`, {
    role: 'redaktion',
    targets: 'nothing',
    summary: `Gibt den Dateien, die eine Aktion umbenannt oder verschoben hat, ihre früheren Pfade zurück, und holt zurück, was eine Frist oder das Aufräumen gleicher Dateien in den Papierkorb legte; mit „Accept: ${NDJSON}“ zählen Zeilen JSON mit`,
    body: undoInput,
    answer: undoAnswer,
    answerTypes: NDJSON_ANSWER_TYPE,
    async handle({ body: { aktion }, request, answerHeaders }, { actor, allowedArea: accountArea }) {
      if (acceptsNdjson(request)) {
        // The answer is a stream: the number of files per step while the work runs, and the refusals at the
        // end.
        const steps = reportedSteps<UndoAnswer>(async report => {
          const onMoved = (files: number) => report({ zurueckgenommen: files, abgelehnt: [] })
          const { refused } = await undoAction(aktion, { actor, accountArea, onMoved })
          return { zurueckgenommen: 0, abgelehnt: refused.map(refusalOnWire) }
        })
        return ndjsonAnswer(steps, { renderError, answerHeaders })
      }
      const { files, refused, action } = await undoAction(aktion, { actor, accountArea })
      if (action !== null) answerHeaders.set(ACTION_HEADER, action)
      return { zurueckgenommen: files, abgelehnt: refused.map(refusalOnWire) }
    },
  })
}

const moveResultOnWire = ({ appliedMoves, refusals }: MoveResult) => ({
  verschoben: appliedMoves.map(({ file, to }) => ({ von: file.path, nach: to })),
  abgelehnt: refusals.map(refusalOnWire),
})

const deletionResultOnWire = ({ removedPaths, trashNumbers, refusals }: DeletionResult) => ({
  geloescht: removedPaths,
  nummern: trashNumbers,
  abgelehnt: refusals.map(refusalOnWire),
})

async function* mapSteps<From, To>(
  steps: AsyncIterable<From>,
  convert: (step: From) => To,
): AsyncGenerator<To> {
  for await (const step of steps) yield convert(step)
}

const refusalOnWire = ({ path, reason }: Refusal) => ({
  pfad: path,
  grund: reason.sentence,
  code: reason.code,
})
