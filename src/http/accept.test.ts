import { describe, expect, test } from 'bun:test'
import { prefersHtml } from './accept.ts'

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
