// Makes openapi.json contain each schema only once, even if several responses use it.

/**
 * Returns a copy of the schema with a reference in place of every schema that has a title, and adds those schemas to
 * `components` by title. Each description stays next to the reference, because it says what the value means there.
 */
export function referToNamedSchemas(schema: unknown, components: Map<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((each) => referToNamedSchemas(each, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const copy: Readonly<Record<string, unknown>> = Object.fromEntries(
    Object.entries(schema).map(([name, each]) => [name, referToNamedSchemas(each, components)] as const),
  )
  const { title, description, ...content } = copy
  // In a list of properties, `title` is not text but the schema of a property with that name.
  if (typeof title !== 'string') return copy
  const known = components.get(title)
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(content))
    throw new Error(`Two schemas with different content have the title ${title}.`)
  components.set(title, content)
  return { $ref: `#/components/schemas/${title}`, ...(description !== undefined && { description }) }
}
