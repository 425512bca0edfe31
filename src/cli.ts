#!/usr/bin/env bun
/** The program, `bun src/cli.ts <command>`: the command line, out of the bundle of these sources where there is one. */
import { makeWhenNeeded, openBundle } from './bundle/bundle.ts'

const [command, ...options] = process.argv.slice(2)
if (command === 'start' && !options.includes('--no-build')) makeWhenNeeded()
const bundle = await openBundle({ stays: command === 'start' })
const { runProcess }: typeof import('./command-line.ts') = await import(bundle ?? './command-line.ts')
await runProcess()
