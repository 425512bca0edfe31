import { describe, expect, test } from 'bun:test'
import { presentationOf } from './presentation.ts'

const isSandboxed = (policy: string) => policy.split(';').some(directive => directive.trim() === 'sandbox')

describe('shown in place', () => {
  test.each([
    'image/png',
    'image/jpeg',
    'image/gif',
    'image/webp',
    'image/avif',
    'image/bmp',
    'image/vnd.microsoft.icon',
    'video/mp4',
    'video/webm',
    'video/webm;codecs=vp9',
    'audio/mpeg',
    'audio/ogg',
    'AUDIO/OGG',
    'text/plain',
    'text/plain; charset=iso-8859-1',
    'Text/Plain',
    'application/pdf',
    'Application/PDF; version=1.7',
    ' image/png ',
  ])('%s', mime => expect(presentationOf(mime).isInline).toBe(true))
})

describe('sent as a download: a browser could run it, or nobody said that it could not', () => {
  test.each([
    'text/html',
    'Text/HTML; charset=utf-8',
    'text/html;',
    ' text/html',
    'application/xhtml+xml',
    'image/svg+xml',
    'IMAGE/SVG+XML',
    'image/svg+xml; charset=utf-8',
    'image/svg',
    'text/xml',
    'application/xml',
    'application/rss+xml',
    'application/mathml+xml',
    'text/xsl',
    'text/javascript',
    'application/javascript',
    'text/css',
    'text/csv',
    'text/markdown',
    'text/vnd.wap.wml',
    'text/cache-manifest',
    'text/plainx',
    'text/plain+html',
    'application/json',
    'application/octet-stream',
    'application/zip',
    'application/x-shockwave-flash',
    'application/java-archive',
    'application/x-msdownload',
    'application/pdfx',
    'multipart/x-mixed-replace',
    'message/rfc822',
    'model/vrml',
    'font/woff2',
    'x-image/png',
    'imagex/png',
    'image',
    '',
    'text/html;image/png',
    '*/*',
  ])('%j', mime => expect(presentationOf(mime).isInline).toBe(false))

  // WHATWG MIME Sniffing, "XML MIME type": any subtype that ends in `+xml`, in whatever family.
  test.each(['image/x+xml', 'audio/evil+xml', 'Video/Evil+XML; a=b'])(
    '%j is XML, though its family says otherwise',
    mime => expect(presentationOf(mime).isInline).toBe(false),
  )
})

describe('the policy', () => {
  test.each([
    'text/html',
    'image/svg+xml',
    'image/png',
    'text/plain',
    'application/octet-stream',
    '',
    'video/mp4',
  ])('of %j is a sandbox without scripts and without anything from elsewhere', mime => {
    const { policy } = presentationOf(mime)
    expect(isSandboxed(policy)).toBe(true)
    expect(policy).not.toMatch(/allow-scripts|allow-same-origin|unsafe-eval|script-src|https?:|\*/)
    expect(policy).toContain("default-src 'none'")
  })

  test('of a PDF is without the sandbox, which would keep the viewer from showing it, and strict all the same', () => {
    for (const mime of ['application/pdf', 'Application/PDF; a=b']) {
      expect(isSandboxed(presentationOf(mime).policy)).toBe(false)
      expect(presentationOf(mime).policy).toContain("default-src 'none'")
    }
    expect(isSandboxed(presentationOf('application/pdfx').policy)).toBe(true)
  })
})

describe('the type that is sent', () => {
  test.each([
    ['text/plain', 'text/plain; charset=utf-8'],
    ['text/html', 'text/html; charset=utf-8'],
    ['text/plain; charset=iso-8859-1', 'text/plain; charset=iso-8859-1'],
    ['image/png', 'image/png'],
    ['application/json', 'application/json'],
    ['video/webm;codecs=vp9', 'video/webm;codecs=vp9'],
  ])('for %s is %s', (mime, contentType) => expect(presentationOf(mime).contentType).toBe(contentType))

  test('names a charset also where the text has other parameters', () =>
    expect(presentationOf('text/plain; format=flowed').contentType).toMatch(/charset=utf-8/))
})

test('the answer is the same after very many other types', () => {
  const before = presentationOf('text/html')
  for (let at = 0; at < 2500; at++) presentationOf(`x/${at}`)
  expect(presentationOf('text/html')).toEqual(before)
})
