// Evaluates an expression in source code whose text does not depend on anything at run time.
import ts from 'typescript'

/** Returns the text, or undefined if the expression is not constant or has a form that is not supported here. */
export function readConstantText(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return readConstantText(node.expression)
  if (ts.isTemplateExpression(node)) return readTemplate(node, (part) => part.text)
  if (ts.isTaggedTemplateExpression(node)) return readRawTemplate(node)
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return concatenate([readConstantText(node.left), readConstantText(node.right)])
  if (ts.isIdentifier(node)) return readInitializer(node, readConstantText)
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source') return readSource(node.expression)
  if (ts.isCallExpression(node)) return readJoin(node)
  return undefined
}

function concatenate(parts: readonly (string | undefined)[], separator = ''): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join(separator)
}

function readTemplate(
  { head, templateSpans }: ts.TemplateExpression,
  read: (part: ts.TemplateLiteralLikeNode) => string | undefined,
): string | undefined {
  return concatenate([
    read(head),
    ...templateSpans.flatMap(({ expression, literal }) => [readConstantText(expression), read(literal)]),
  ])
}

function readRawTemplate({ tag, template }: ts.TaggedTemplateExpression): string | undefined {
  if (tag.getText() !== 'String.raw') return undefined
  return ts.isTemplateExpression(template) ? readTemplate(template, (part) => part.rawText) : template.rawText
}

/** Reads `.source` of a regular expression literal, or of a constant that holds one. */
function readSource(node: ts.Expression): string | undefined {
  if (ts.isRegularExpressionLiteral(node)) return node.text.slice(1, node.text.lastIndexOf('/'))
  return ts.isIdentifier(node) ? readInitializer(node, readSource) : undefined
}

/** Reads `[…].join('…')`. */
function readJoin({ expression, arguments: [separator] }: ts.CallExpression): string | undefined {
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 'join') return undefined
  const between = separator && readConstantText(separator)
  if (between === undefined || !ts.isArrayLiteralExpression(expression.expression)) return undefined
  return concatenate(expression.expression.elements.map(readConstantText), between)
}

/** Reads the value of a constant that is declared at the top level of the same file. */
function readInitializer(name: ts.Identifier, read: (node: ts.Expression) => string | undefined): string | undefined {
  for (const statement of name.getSourceFile().statements) {
    if (!ts.isVariableStatement(statement) || !(statement.declarationList.flags & ts.NodeFlags.Const)) continue
    for (const { name: declared, initializer } of statement.declarationList.declarations)
      if (ts.isIdentifier(declared) && declared.text === name.text) return initializer && read(initializer)
  }
  return undefined
}
