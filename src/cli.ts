#!/usr/bin/env bun
/**
 * The program, `bun src/cli.ts <command>`: the command line, out of the bundle of these sources where there
 * is one.
 */
import { currentBundle } from './program/bundle/bundle.ts'

const { runProcess }: typeof import('./program/command-line.ts') = await import(
  currentBundle() ?? './program/command-line.ts'
)
await runProcess()
