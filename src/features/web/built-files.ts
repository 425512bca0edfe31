/**
 * Reads the built dashboard into memory once at startup, so that a new build does not change files while a
 * visitor loads a page.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { sha256 } from '../../base/hash/sha256.ts'
import { ownValue } from '../../contract/values/own-value.ts'

export type ContentEncoding = 'br' | 'gzip'

export interface BuiltFile {
  type: string
  /** The ETag of the uncompressed bytes, without quotes; each compressed form gets a suffix. */
  etag: string
  /**
   * Returns the uncompressed bytes. Nearly all browsers ask for compressed ones, so if there is a gzip form,
   * the bytes are unpacked from it only when they are needed.
   */
  bytes: () => Uint8Array<ArrayBuffer>
  encoded: Partial<Record<ContentEncoding, Uint8Array<ArrayBuffer>>>
  /** Whether the name contains a hash of the content, so that the file never changes. */
  hasHashedName: boolean
}

/** The built files by path, such as `/assets/…`, `/index.html` and `/entrance.html`. */
export type BuiltFiles = ReadonlyMap<string, BuiltFile>

const PUBLIC_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

const ENCODING_SUFFIXES: Readonly<Record<ContentEncoding, string>> = { br: '.br', gzip: '.gz' }

/**
 * Reads the built files; the map is empty if the dashboard was not built. Files whose extension is not in
 * `PUBLIC_TYPES` (such as `stamp` and `.vite/manifest.json`) are not served.
 */
export function readBuiltFiles(folder: string): BuiltFiles {
  const filesByPath = new Map<string, BuiltFile>()
  if (!existsSync(join(folder, 'index.html'))) return filesByPath
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = ownValue(PUBLIC_TYPES, extname(name))
    if (!type) continue
    filesByPath.set(`/${name.replaceAll('\\', '/')}`, {
      type,
      ...readEncodings(join(folder, name)),
      hasHashedName: /^assets[\\/]/.test(name),
    })
  }
  return filesByPath
}

function readEncodings(path: string): Pick<BuiltFile, 'etag' | 'bytes' | 'encoded'> {
  const bytes = readBytes(path)
  const encoded: BuiltFile['encoded'] = Object.fromEntries(
    Object.entries(ENCODING_SUFFIXES).flatMap(([encoding, suffix]) =>
      existsSync(path + suffix) ? [[encoding, readBytes(path + suffix)]] : [],
    ),
  )
  const etag = sha256(bytes).slice(0, 32)
  return { etag, encoded, bytes: encoded.gzip ? unpackOnDemand(encoded.gzip) : constantBytes(bytes) }
}

const readBytes = (path: string) => new Uint8Array(readFileSync(path))

function unpackOnDemand(gzip: Uint8Array<ArrayBuffer>): BuiltFile['bytes'] {
  let bytes: Uint8Array<ArrayBuffer> | undefined
  return () => {
    bytes ??= Bun.gunzipSync(gzip)
    return bytes
  }
}

/**
 * Defined outside of `readEncodings`: a closure inside of it could keep the uncompressed bytes in memory even
 * if there is a gzip form.
 */
const constantBytes = (bytes: Uint8Array<ArrayBuffer>) => () => bytes
