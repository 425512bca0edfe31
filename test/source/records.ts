/** Finds, by the types, where the source looks up an object by a name that is not one of a closed set. */
import { join, relative } from 'node:path'
import type { Expression, Node } from 'typescript/unstable/ast'
import { SyntaxKind } from 'typescript/unstable/ast'
import { isAsExpression, isBinaryExpression, isElementAccessExpression } from 'typescript/unstable/ast/is'
import {
  API,
  type Project,
  type Type,
  TypeFlags,
  type UnionOrIntersectionType,
} from 'typescript/unstable/async'

const REPOSITORY = join(import.meta.dir, '../..')
const PROJECTS = ['', 'dashboard', 'clients/typescript']
const FOLDERS = /^(?:src|dashboard\/src|clients)\/(?!.*(?:\.test\.tsx?$|\/testing[/.]|node_modules))/

/** In the form `src/base/log.ts: fields[key]`, each once. */
export async function openLookups(root = REPOSITORY, projects = PROJECTS): Promise<string[]> {
  const api = new API({ cwd: root })
  try {
    const found = new Set<string>()
    for (const folder of projects) {
      const configuration = join(root, folder, 'tsconfig.json')
      const snapshot = await api.updateSnapshot({ openProjects: [configuration] })
      const project = snapshot.getProject(configuration)!
      for (const name of await project.program.getSourceFileNames()) {
        const file = relative(root, name)
        if (!FOLDERS.test(file)) continue
        for (const text of await lookupsIn(project, name)) found.add(`${file}: ${text}`)
      }
    }
    return [...found].sort()
  } finally {
    await api.close()
  }
}

async function lookupsIn({ program, checker }: Project, name: string): Promise<string[]> {
  const lookups: { node: Node; key: Expression }[] = []
  const visit = (node: Node): void => {
    if (isElementAccessExpression(node)) lookups.push({ node, key: node.argumentExpression })
    else if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword)
      lookups.push({ node, key: node.left })
    node.forEachChild(visit)
  }
  ;(await program.getSourceFile(name))!.forEachChild(visit)
  const types = await checker.getTypeAtLocation(lookups.map(({ key }) => key))
  const open: string[] = []
  for (const [at, { node, key }] of lookups.entries())
    if (isAsExpression(key) || (await isOpen(types[at]!))) open.push(node.getText().replaceAll(/\s+/g, ' '))
  return open
}

/** Numbers and symbols are not names from outside; neither are types limited to a few words. */
const CLOSED =
  TypeFlags.NumberLike |
  TypeFlags.ESSymbolLike |
  TypeFlags.StringLiteral |
  TypeFlags.Index |
  TypeFlags.Undefined |
  TypeFlags.Null

async function isOpen(type: Type): Promise<boolean> {
  if ((type.flags & TypeFlags.UnionOrIntersection) === 0) return (type.flags & CLOSED) === 0
  const parts = await Promise.all((await (type as UnionOrIntersectionType).getTypes()).map(isOpen))
  return type.flags & TypeFlags.Union ? parts.includes(true) : !parts.includes(false)
}
