/**
 * Code samples with the address of the service and, for a new token, its key filled in. In samples that name
 * a path, the path begins with the folder of the token.
 */

import type { TokenOnWire } from '../../../../src/contract/accounts/tokens.ts'
import type { Kind } from '../../../../src/contract/paths/kinds.ts'
import type { ShareXUploader } from '../../../../src/contract/upload/sharex.ts'

export interface SampleWords {
  /** The name of the file that is sent, without its extension. */
  example: string
  luaServer: string
  luaClient: string
  refused: string
  script: string
}

/** What the samples contain about the service and the token. */
export interface SampleAccess {
  /** The public address of the service. */
  serviceAddress: string
  key: string
  prefix: string
  kinds: readonly Kind[] | null
}

const UPLOADER_ROUTE = '/api/v3/file'
const SAMPLE_EXTENSIONS = {
  bilder: 'png',
  video: 'mp4',
  audio: 'mp3',
  dokumente: 'pdf',
  sonstige: 'bin',
} as const

/**
 * Reads the address and the key from the ShareX file, and the rest from the token. If the key is no longer
 * known, the ShareX file has a placeholder for it.
 */
export function sampleAccessOf(sharex: ShareXUploader, { praefix, arten }: TokenOnWire): SampleAccess {
  return {
    serviceAddress: sharex.RequestURL.slice(0, -UPLOADER_ROUTE.length),
    key: (sharex.Headers.Authorization ?? '').replace(/^Bearer /, ''),
    prefix: praefix ?? '',
    kinds: arten,
  }
}

/** A file name with an extension of a kind that the token may store. */
const sampleFileName = ({ kinds }: SampleAccess, words: SampleWords) =>
  `${words.example}.${SAMPLE_EXTENSIONS[kinds?.[0] ?? 'bilder']}`

/**
 * A curl command on one line. Its arguments are in double quotes, because cmd.exe does not know single
 * quotes. Windows PowerShell has another command named `curl`, so users must write `curl.exe` there.
 */
export function curlSample(access: SampleAccess, words: SampleWords): string {
  const name = sampleFileName(access, words)
  const curlArguments = [
    `-H ${doubleQuoted(`Authorization: Bearer ${access.key}`)}`,
    `-H ${doubleQuoted(`X-Path: ${access.prefix}${name}`)}`,
    `--data-binary ${doubleQuoted(`@${name}`)}`,
    doubleQuoted(`${access.serviceAddress}/api/upload`),
  ]
  return `curl ${curlArguments.join(' ')}`
}

export function luaSample(access: SampleAccess, words: SampleWords): string {
  const name = sampleFileName(access, words)
  return `-- ${words.luaServer}
local content = LoadResourceFile(GetCurrentResourceName(), ${singleQuoted(name)})
PerformHttpRequest(${singleQuoted(`${access.serviceAddress}/api/upload`)}, function(status, body)
    if status == 200 then
        print(json.decode(body).url)
    else
        print(${singleQuoted(`${words.refused} `)} .. status)
    end
end, 'POST', content, {
    ['Authorization'] = ${singleQuoted(`Bearer ${access.key}`)},
    ['X-Path'] = ${singleQuoted(access.prefix + name)},
})`
}

/** A screenshot sample for FiveM; null for a token that may not store pictures. */
export function screenshotSample(access: SampleAccess, words: SampleWords): string | null {
  if (access.kinds && !access.kinds.includes('bilder')) return null
  return `-- ${words.luaClient}
exports['screenshot-basic']:requestScreenshotUpload(${singleQuoted(`${access.serviceAddress}/api/image`)}, 'image', {
    encoding = 'webp',
    headers = { ['Authorization'] = ${singleQuoted(access.key)} },
}, function(body)
    print(json.decode(body).url)
end)`
}

export function scriptSample(access: SampleAccess, words: SampleWords): string {
  return `// ${words.script}
const response = await fetch(${singleQuoted(`${access.serviceAddress}/api/upload`)}, {
  method: 'POST',
  headers: {
    Authorization: ${singleQuoted(`Bearer ${access.key}`)},
    'X-Path': ${singleQuoted(access.prefix + sampleFileName(access, words))},
  },
  body: file,
})
const { url, error } = await response.json()
if (!response.ok) throw new Error(error)
console.log(url)`
}

const singleQuoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`
const doubleQuoted = (text: string) => `"${text.replace(/[\\"$`]/g, '\\$&')}"`

/** The name of the ShareX file, the same as the service gives it. */
export const shareXFileName = (name: string) =>
  `${name.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '') || 'fundus'}.sxcu`
