#!/usr/bin/env bun
/** Entry point, `bun src/cli.ts <command>`: runs the command line, from the bundle if it is current. */
import { currentBundle } from './program/bundle/bundle.ts'

const { runProcess }: typeof import('./program/command-line.ts') = await import(
  currentBundle() ?? './program/command-line.ts'
)
await runProcess()
