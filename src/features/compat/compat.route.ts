/** The compatibility routes: the calls of a third-party media host, so that its clients only change the address. */
import type { z } from 'zod'
import type { Token } from '../../access/callers.ts'
import { fileAddress } from '../../contract/addresses.ts'
import {
  COMPAT_KINDS,
  type CompatKind,
  compatBase64,
  compatFileForm,
  compatForm,
  newerAnswer,
  olderAnswer,
  removedAnswer,
} from '../../contract/compat.ts'
import { failure } from '../../errors.ts'
import { refuseEncoded } from '../../http/content-encoding.ts'
import type { ApiDescription } from '../../http/described.ts'
import type { Route } from '../../http/routes.ts'
import { checkDelete } from '../media/media.route.ts'
import type { Media } from '../media/media.ts'
import type { Settings } from '../settings/settings.ts'
import type { Deposit, DepositedFile } from '../upload/deposit.ts'
import { type CompatBody, readCompatBase64, readCompatForm } from './compat.body.ts'
import type { Compat } from './compat.ts'

export interface CompatRouteParts {
  media: Media
  compat: Compat
  deposit: Deposit
  settings: Settings
}

const KINDS = Object.keys(COMPAT_KINDS) as CompatKind[]

export function compatRoutes({ media, compat, deposit, settings }: CompatRouteParts): Route<Token>[] {
  const address = (file: DepositedFile) => fileAddress(settings.current().PUBLIC_URL, file.path)
  const older = (file: DepositedFile) => ({ url: address(file), id: file.id, path: file.path })
  const newer = (file: DepositedFile) => ({ status: 'ok', data: { id: file.id, url: address(file) } })

  type Read = (request: Request, token: Token) => Promise<CompatBody>
  const form =
    (field: string): Read =>
    (request, token) =>
      readCompatForm(request, token, deposit, field)
  const base64: Read = (request, token) => readCompatBase64(request, token, deposit)

  const post = (
    path: string,
    kind: CompatKind | null,
    read: Read,
    answer: (file: DepositedFile) => object,
    api: ApiDescription,
  ) => ({
    method: 'POST' as const,
    path,
    api,
    async handle(context: Parameters<Route<Token>['handle']>[0], token: Token) {
      refuseEncoded(context.req.raw)
      const { received, filename, folder } = await read(context.req.raw, token)
      return context.json(answer(await compat.store(token, { kind, filename, folder }, received)))
    },
  })

  const remove = (path: string): Route<Token> => ({
    method: 'DELETE',
    path,
    api: {
      summary: 'Löscht die id eines Hochladens; mit der letzten geht die Datei, endgültig',
      answer: removedAnswer,
    },
    async handle(context, token) {
      if (!token.mayDelete) throw failure.deleteForbidden()
      const removed = await media.removeId(context.req.param('id')!, { token }, path =>
        checkDelete(token, path),
      )
      if (!removed) throw failure.fileAbsent()
      return context.json({ status: 'ok' })
    },
  })

  return [
    ...KINDS.map(kind => post(`/api/${kind}`, kind, form(kind), older, describeForm(kind, olderAnswer))),
    ...KINDS.map(kind => post(`/api/v2/${kind}`, kind, form(kind), newer, describeForm(kind, newerAnswer))),
    post('/api/v3/file', null, form('file'), newer, {
      summary: 'Speichert eine Datei beliebiger Art',
      forms: { 'multipart/form-data': compatFileForm },
      answer: newerAnswer,
    }),
    post('/api/v3/file/base64', null, base64, newer, {
      summary: 'Speichert eine Datei aus Base64-Text',
      body: compatBase64,
      answer: newerAnswer,
    }),
    remove('/api/v3/file/:id'),
    ...KINDS.map(kind => remove(`/api/${kind}/delete/:id`)),
  ]
}

const describeForm = (kind: CompatKind, answer: z.ZodType): ApiDescription => ({
  summary: `Speichert eine Datei der Art „${COMPAT_KINDS[kind]}“`,
  forms: { 'multipart/form-data': compatForm(kind) },
  answer,
})
