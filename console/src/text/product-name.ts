/** Joins vendor and product, and leaves out the vendor if the product's name starts with it. */
export function joinProductName(vendor: string, product: string): string {
  return product.toLowerCase().startsWith(vendor.toLowerCase()) ? product : `${vendor} ${product}`
}
