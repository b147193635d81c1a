/// The release that this is.
public enum Release {
    public static let version = "0.1.0"
}
