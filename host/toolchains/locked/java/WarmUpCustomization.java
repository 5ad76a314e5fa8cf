import com.azure.autorest.customization.Customization;
import com.azure.autorest.customization.LibraryCustomization;
import org.slf4j.Logger;

public class WarmUpCustomization extends Customization {
    @Override
    public void customize(LibraryCustomization library, Logger logger) {
        library.getClass("com.azure.warmup.models", "Thing").customizeAst(ast -> ast.getClassByName("Thing").get());
    }
}
