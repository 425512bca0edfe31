#!/usr/bin/env bun
/** The program, `bun src/cli.ts <command>`: the command line, out of the bundle of these sources where there is one. */
import { currentBundle } from './bundle/bundle.ts'

const { runProcess }: typeof import('./command-line.ts') = await import(
  currentBundle() ?? './command-line.ts'
)
await runProcess()
