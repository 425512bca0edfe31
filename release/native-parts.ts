/**
 * What the compiled programs of an archive are made of. Neither package brings its licences along: the
 * runtime names its parts in LICENSE.md of its sources, the image library in THIRD-PARTY-NOTICES.md of
 * sharp-libvips.
 */
import { join } from 'node:path'
import { filesOf, type Package } from './packages.ts'

export interface NativePart {
  name: string
  /** Unknown for parts of the runtime, which names none. */
  version?: string
  /** An SPDX expression. */
  license: string
  source: string
}

const github = (name: string, license: string, repository: string): NativePart => ({
  name,
  license,
  source: `https://github.com/${repository}`,
})

export const RUNTIME_SOURCE = 'https://github.com/oven-sh/bun'

export const RUNTIME_PARTS: readonly NativePart[] = [
  github('JavaScriptCore', 'LGPL-2.0-only', 'oven-sh/WebKit'),
  {
    name: 'boringssl',
    license: 'Apache-2.0 AND ISC AND BSD-3-Clause',
    source: 'https://boringssl.googlesource.com/boringssl',
  },
  github('brotli', 'MIT', 'google/brotli'),
  github('libarchive', 'BSD-2-Clause', 'libarchive/libarchive'),
  github('lol-html', 'BSD-3-Clause', 'cloudflare/lol-html'),
  github('ls-hpack', 'MIT', 'litespeedtech/ls-hpack'),
  github('ls-qpack', 'MIT', 'litespeedtech/ls-qpack'),
  github('lsquic', 'MIT AND BSD-3-Clause', 'litespeedtech/lsquic'),
  github('mimalloc', 'MIT', 'microsoft/mimalloc'),
  github('picohttpparser', 'MIT', 'h2o/picohttpparser'),
  github('zstd', 'BSD-3-Clause', 'facebook/zstd'),
  github('simdutf', 'Apache-2.0', 'simdutf/simdutf'),
  github('tinycc', 'LGPL-2.1-or-later', 'TinyCC/tinycc'),
  github('uSockets', 'Apache-2.0', 'uNetworking/uSockets'),
  github('uWebSockets', 'Apache-2.0', 'uNetworking/uWebSockets'),
  github('zlib-ng', 'Zlib', 'zlib-ng/zlib-ng'),
  github('c-ares', 'MIT', 'c-ares/c-ares'),
  github('icu', 'Unicode-3.0', 'unicode-org/icu'),
  github('libbase64', 'BSD-2-Clause', 'aklomp/base64'),
  github('libuv', 'MIT', 'libuv/libuv'),
  github('libdeflate', 'MIT', 'ebiggers/libdeflate'),
  github('libjpeg-turbo', 'BSD-3-Clause AND IJG AND Zlib', 'libjpeg-turbo/libjpeg-turbo'),
  github('libspng', 'BSD-2-Clause', 'randy408/libspng'),
  github('libwebp', 'BSD-3-Clause', 'webmproject/libwebp'),
  github('highway', 'Apache-2.0', 'google/highway'),
  github('uucode', 'MIT', 'jacobsandlund/uucode'),
  github('tigerbeetle', 'Apache-2.0', 'tigerbeetle/tigerbeetle'),
  github('libc++abi', 'Apache-2.0 WITH LLVM-exception', 'llvm/llvm-project'),
]

/** By the names in `versions.json` of sharp-libvips. */
const IMAGE_PARTS = new Map<string, readonly [license: string, source: string]>([
  ['aom', ['BSD-2-Clause', 'https://aomedia.googlesource.com/aom']],
  ['archive', ['BSD-2-Clause', 'https://github.com/libarchive/libarchive']],
  ['cairo', ['MPL-2.0', 'https://gitlab.freedesktop.org/cairo/cairo']],
  ['cgif', ['MIT', 'https://github.com/dloebl/cgif']],
  ['exif', ['LGPL-3.0-or-later', 'https://github.com/libexif/libexif']],
  ['expat', ['MIT', 'https://github.com/libexpat/libexpat']],
  ['ffi', ['MIT', 'https://github.com/libffi/libffi']],
  ['fontconfig', ['HPND', 'https://gitlab.freedesktop.org/fontconfig/fontconfig']],
  ['freetype', ['FTL', 'https://gitlab.freedesktop.org/freetype/freetype']],
  ['fribidi', ['LGPL-3.0-or-later', 'https://github.com/fribidi/fribidi']],
  ['glib', ['LGPL-3.0-or-later', 'https://gitlab.gnome.org/GNOME/glib']],
  ['harfbuzz', ['MIT', 'https://github.com/harfbuzz/harfbuzz']],
  ['heif', ['LGPL-3.0-or-later', 'https://github.com/strukturag/libheif']],
  ['highway', ['Apache-2.0 OR BSD-3-Clause', 'https://github.com/google/highway']],
  ['imagequant', ['BSD-2-Clause', 'https://github.com/lovell/libimagequant']],
  ['lcms', ['MIT', 'https://github.com/mm2/Little-CMS']],
  ['mozjpeg', ['BSD-3-Clause AND IJG AND Zlib', 'https://github.com/mozilla/mozjpeg']],
  ['pango', ['LGPL-3.0-or-later', 'https://gitlab.gnome.org/GNOME/pango']],
  ['pixman', ['MIT', 'https://gitlab.freedesktop.org/pixman/pixman']],
  ['png', ['libpng-2.0', 'https://github.com/pnggroup/libpng']],
  ['proxy-libintl', ['LGPL-3.0-or-later', 'https://github.com/frida/proxy-libintl']],
  ['rsvg', ['LGPL-3.0-or-later', 'https://gitlab.gnome.org/GNOME/librsvg']],
  ['tiff', ['libtiff', 'https://gitlab.com/libtiff/libtiff']],
  ['uhdr', ['Apache-2.0', 'https://github.com/google/libultrahdr']],
  ['vips', ['LGPL-3.0-or-later', 'https://github.com/libvips/libvips']],
  ['webp', ['BSD-3-Clause', 'https://github.com/webmproject/libwebp']],
  ['xml2', ['MIT', 'https://gitlab.gnome.org/GNOME/libxml2']],
  ['zlib-ng', ['Zlib', 'https://github.com/zlib-ng/zlib-ng']],
])

/** The libraries in the image library of this platform, with the versions that its package names. */
export async function imageParts(library: Package): Promise<NativePart[]> {
  const file = (await filesOf([library])).find(({ name }) => name === join(library.path, 'versions.json'))
  if (!file) throw new Error(`${library.name} does not name its parts.`)
  const versions = JSON.parse(Buffer.from(file.bytes).toString()) as Record<string, string>
  return Object.entries(versions).map(([name, version]) => {
    const [license, source] = IMAGE_PARTS.get(name) ?? unknown(library, name)
    return { name, version, license, source }
  })
}

function unknown(library: Package, part: string): never {
  throw new Error(`${library.name} contains ${part}, whose licence is not known here.`)
}
