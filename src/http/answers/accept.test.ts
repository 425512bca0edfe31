import { describe, expect, test } from 'bun:test'
import { acceptsWebp, prefersHtml } from './accept.ts'

describe('HTML is preferred', () => {
  test.each([
    'text/html',
    'TEXT/HTML',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
    'application/json;q=0.5, text/html',
    'text/html; charset=utf-8; q=0.1',
  ])('by %s', accept => expect(prefersHtml(accept)).toBe(true))

  test.each([
    null,
    '',
    '*/*',
    'text/*',
    'application/json',
    'application/json, text/plain, */*',
    'text/html;q=0',
    'text/html;q=0.000',
    'text/html;q=0.5, application/json',
    'text/html, application/json',
    'text/htmlx',
    'x-text/html',
    'text/html;q=abc',
  ])('not by %s', accept => expect(prefersHtml(accept)).toBe(false))
})

describe('WebP', () => {
  test.each([
    'image/webp',
    'image/avif,image/webp,image/apng,*/*;q=0.8',
    'text/html, image/webp;q=0.9',
    'IMAGE/WEBP',
    'image/webp;q=1',
    'image/webp;q=0.001',
    'image/webp; q=0.5, image/png; q=0',
    'image/png;q=0,image/webp',
    'image/webp;q=0.5;x=1',
    'image/webp;x="a, b;q=0"',
    'image/png;x="image/webp;q=0",image/webp',
  ])('%s takes WebP', header => expect(acceptsWebp(header)).toBe(true))

  test.each([
    null,
    '',
    '*/*',
    'image/*',
    'image/png',
    'webp',
    'image/web',
    'image/webp;q=0',
    'image/webp; q=0.0, */*',
    'image/webp ; q=0.000',
    'image/png, IMAGE/WEBP;Q=0',
    'image/webp;q=0;x=1',
    'image/webp;x=1;q=0',
    'image/webp;x="a,b";q=0',
    'image/webp;x="a\\",b";q=0',
    'image/webpx',
    'x-image/webp',
    'image/png;x="a,image/webp"',
  ])('%p does not', header => expect(acceptsWebp(header)).toBe(false))
})
